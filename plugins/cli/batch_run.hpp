// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Running a plan from the command line: what is told meanwhile, and Ctrl-C.
#pragma once

#include "batch/report.hpp"
#include "batch/runner.hpp"
#include "batch_options.hpp"

namespace sfumato::cli {

/// What the command line asks for.
struct Batch {
  BatchArguments arguments;
  BatchRequest request;
  BatchOptions options;
};

/// Runs a plan, telling of it as the arguments say. Throws what BatchRunner::run() does.
BatchSummary run_plan(const Batch& batch, const BatchPlan& plan, Journal& journal, Report& report);

/// Writes the report, tells the sum, and returns the exit status.
int finish(const Batch& batch, const BatchPlan& plan, const Report& report,
           const BatchSummary& summary);

/// Prints what would be done.
void print_plan(const BatchPlan& plan, bool json_lines);

/// Names outputs that are in the way, but not thousands.
void print_clashes(const ClashError& error);

/// Filters what appears in a folder until Ctrl-C; returns the exit status.
int watch(Batch& batch);

}  // namespace sfumato::cli
