// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder of inputs, again for every test, and what is asked of a batch over it.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "batch/journal.hpp"
#include "batch/plan.hpp"
#include "support/pictures.hpp"

class BatchFolderTest : public QObject {
  std::unique_ptr<QTemporaryDir> folder_;

 protected:
  using Names = std::vector<std::string>;

  void new_folder() { folder_ = std::make_unique<QTemporaryDir>(); }
  std::filesystem::path at(const std::string& name) const {
    return std::filesystem::path(folder_->path().toStdString()) / name;
  }
  /// A Gaussian on all below "in", to "out".
  sfumato::BatchRequest request() const {
    sfumato::BatchRequest out;
    out.inputs.words = {at("in").string()};
    out.inputs.recursive = true;
    out.recipe = sfumato::testing::one_step("gaussian", {{"sigma", "2"}});
    out.recipe_name = "soft";
    out.folder = at("out");
    return out;
  }
  static Names names(const std::vector<sfumato::BatchItem>& items) {
    Names out;
    for (const sfumato::BatchItem& item : items) out.push_back(item.target.filename().string());
    return out;
  }
  std::filesystem::path make(const std::string& name, const std::string& bytes = "x") const {
    std::filesystem::create_directories(at(name).parent_path());
    std::ofstream(at(name)) << bytes;
    return at(name);
  }

  static sfumato::HistoryLookup recall_of(const sfumato::Journal& journal) {
    return [&](const sfumato::BatchItem& item, const std::string& hash) {
      return journal.recall(item, hash);
    };
  }
  /// As a run does it, up to where it would say that it is done.
  static void write_output(sfumato::Journal& journal, const sfumato::BatchPlan& plan,
                           std::size_t i) {
    const sfumato::BatchItem& item = plan.items[i];
    const std::filesystem::path temporary = item.target.parent_path() / "temporary";
    std::filesystem::create_directories(item.target.parent_path());
    std::ofstream(temporary) << "output " << i;
    journal.made(item, plan.recipe_hash, temporary);
    std::filesystem::rename(temporary, item.target);
  }
  static void make_all(sfumato::Journal& journal, const sfumato::BatchPlan& plan) {
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
      write_output(journal, plan, i);
      journal.end(plan.items[i], plan.recipe_hash, {});
    }
  }

  Names clashes(const sfumato::BatchRequest& asked) const {
    try {
      sfumato::plan_batch(asked);
    } catch (const sfumato::ClashError& e) {
      return sfumato::in_english(e.clashes());
    }
    return {};
  }
  QString fault(const sfumato::BatchRequest& asked) const {
    try {
      sfumato::plan_batch(asked);
    } catch (const std::exception& e) {
      return QString::fromUtf8(e.what());
    }
    return QStringLiteral("none");
  }
};
