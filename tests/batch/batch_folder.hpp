// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A folder of inputs, anew for every test, and what is asked of a batch over it.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

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
  sfumato::BatchAsk ask() const {
    sfumato::BatchAsk out;
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
  Names clashes(const sfumato::BatchAsk& asked) const {
    try {
      sfumato::plan_batch(asked);
    } catch (const sfumato::ClashError& e) {
      return e.clashes();
    }
    return {};
  }
  QString fault(const sfumato::BatchAsk& asked) const {
    try {
      sfumato::plan_batch(asked);
    } catch (const std::exception& e) {
      return QString::fromUtf8(e.what());
    }
    return QStringLiteral("none");
  }
};
