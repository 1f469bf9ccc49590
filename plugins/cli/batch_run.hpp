// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Running a plan from the command line, with progress output and Ctrl-C.
#pragma once

#include "batch/report.hpp"
#include "batch/runner.hpp"
#include "batch_options.hpp"

namespace sfumato::cli {

/// The batch that the command line requests.
struct Batch {
  BatchArguments arguments;
  BatchRequest request;
  BatchOptions options;
};

/// Runs a plan, reporting as the arguments demand. Throws what BatchRunner::run() throws.
BatchSummary run_plan(const Batch& batch, const BatchPlan& plan, Journal& journal, Report& report);

/// Writes the report, prints the totals, and returns the exit status.
int finish(const Batch& batch, const BatchPlan& plan, const Report& report,
           const BatchSummary& summary);

/// Prints what would be done.
void print_plan(const BatchPlan& plan, bool json_lines);

/// Lists outputs that already exist, but not thousands of them.
void print_clashes(const ClashError& error);

/// Filters pictures as they appear in a folder, until Ctrl-C; returns the exit status.
int watch(Batch& batch);

}  // namespace sfumato::cli
