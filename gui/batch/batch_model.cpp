// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Rows by number; thumbnails find their rows by file path.
#include "batch/batch_model.hpp"

#include <QIcon>
#include <algorithm>
#include <utility>

#include "document/paths.hpp"
#include "params/model_text.hpp"

namespace sfumato::gui {

QString state_text(FileState state) {
  switch (state) {
    case FileState::waiting:
      break;
    case FileState::reading:
      return BatchModel::tr("Reading");
    case FileState::filtering:
      return BatchModel::tr("Filtering");
    case FileState::writing:
      return BatchModel::tr("Writing");
    case FileState::done:
      return BatchModel::tr("Done");
    case FileState::skipped:
      return BatchModel::tr("Left out");
    case FileState::failed:
      return BatchModel::tr("Failed");
    case FileState::cancelled:
      return BatchModel::tr("Cancelled");
  }
  return {};
}

BatchModel::BatchModel(QObject* parent) : QAbstractListModel(parent) {
  connect(&thumbnails_, &FileThumbnails::ready, this, &BatchModel::show_thumbnail);
}

int BatchModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

// Frames of a movie are several inputs from one file.
std::string BatchModel::key_of(const FoundInput& input) {
  return input.is_numbered() ? input.path.string() + '\n' + std::to_string(input.frame.value_or(0))
                             : input.path.string();
}

QString BatchModel::path(int row) const {
  return shown_path(input(row).path);
}

QString BatchModel::detail(const Entry& entry) const {
  switch (entry.state) {
    case FileState::failed:
    case FileState::skipped:
      return entry.reason;
    case FileState::done:
      return tr("Saved as %1").arg(entry.output);
    default:
      return shown_path(entry.input.path.parent_path());
  }
}

QVariant BatchModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Entry& entry = entries_[static_cast<std::size_t>(index.row())];
  const auto name = [&] {
    const QString file = shown_path(entry.input.path.filename());
    return entry.input.is_numbered()
               ? tr("%1, frame %2").arg(file).arg(entry.input.frame.value_or(0))
               : file;
  };
  switch (role) {
    case Qt::DisplayRole:
      return name();
    case Qt::DecorationRole: {
      if (entry.input.movie) return {};
      const QString path = shown_path(entry.input.path);
      const QImage image = thumbnails_.thumbnail(path);
      if (!image.isNull()) return image;
      const auto [first, last] = shown_.equal_range(entry.input.path.string());
      const bool known =
          std::any_of(first, last, [&](const auto& at) { return at.second == index.row(); });
      if (!known) shown_.emplace(entry.input.path.string(), index.row());
      return {};
    }
    case Qt::ToolTipRole:
      return plain_tip(entry.reason.isEmpty() ? shown_path(entry.input.path) : entry.reason);
    case Qt::AccessibleTextRole: {
      const QString state = state_text(entry.state);
      const QString text = state.isEmpty() ? name() : tr("%1: %2").arg(name(), state);
      return entry.reason.isEmpty() ? text : tr("%1. %2").arg(text, entry.reason);
    }
    case state_role:
      return static_cast<int>(entry.state);
    case part_role:
      return entry.part;
    case detail_role:
      return detail(entry);
    default:
      return {};
  }
}

void BatchModel::show_thumbnail(const QString& path) {
  const auto [first, last] = shown_.equal_range(native_path(path).string());
  for (auto at = first; at != last; ++at) {
    if (at->second >= rowCount()) continue;
    const QModelIndex row = index(at->second);
    Q_EMIT dataChanged(row, row, {Qt::DecorationRole});
  }
  shown_.erase(first, last);
}

int BatchModel::add(std::vector<FoundInput> files) {
  std::erase_if(files, [&](const FoundInput& file) { return !known_.insert(key_of(file)).second; });
  if (files.empty()) return 0;
  const int first = rowCount(), count = static_cast<int>(files.size());
  beginInsertRows({}, first, first + count - 1);
  entries_.reserve(entries_.size() + files.size());
  for (FoundInput& file : files) entries_.push_back({std::move(file), {}, 0, {}, {}});
  endInsertRows();
  return count;
}

void BatchModel::remove(std::vector<int> rows) {
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  // One reset instead of thousands of removals, each of which moves all later rows.
  beginResetModel();
  std::vector<Entry> left;
  left.reserve(entries_.size() - rows.size());
  auto next = rows.begin();
  for (int row = 0; row < static_cast<int>(entries_.size()); ++row) {
    Entry& entry = entries_[static_cast<std::size_t>(row)];
    if (next != rows.end() && *next == row) {
      known_.erase(key_of(entry.input));
      ++next;
    } else {
      left.push_back(std::move(entry));
    }
  }
  entries_ = std::move(left);
  shown_.clear();
  endResetModel();
}

void BatchModel::clear() {
  beginResetModel();
  entries_.clear();
  known_.clear();
  shown_.clear();
  endResetModel();
}

std::vector<FoundInput> BatchModel::inputs() const {
  std::vector<FoundInput> out;
  out.reserve(entries_.size());
  for (const Entry& entry : entries_) out.push_back(entry.input);
  return out;
}

std::vector<int> BatchModel::rows_in(FileState state) const {
  std::vector<int> out;
  for (int row = 0; row < rowCount(); ++row) {
    if (this->state(row) == state) out.push_back(row);
  }
  return out;
}

void BatchModel::apply(const std::vector<FileChange>& changes) {
  if (changes.empty()) return;
  int first = rowCount(), last = -1;
  for (const FileChange& change : changes) {
    if (change.row < 0 || change.row >= rowCount()) continue;
    Entry& entry = entries_[static_cast<std::size_t>(change.row)];
    entry.state = change.state;
    entry.part = change.part;
    entry.reason = change.reason;
    if (!change.output.isEmpty()) entry.output = change.output;
    first = std::min(first, change.row);
    last = std::max(last, change.row);
  }
  // One signal: views repaint only the visible part of the range.
  if (last >= first) Q_EMIT dataChanged(index(first), index(last), {state_role, part_role});
}

void BatchModel::reset_states() {
  if (entries_.empty()) return;
  for (Entry& entry : entries_) {
    entry.state = FileState::waiting;
    entry.part = 0;
    entry.reason.clear();
    entry.output.clear();
  }
  Q_EMIT dataChanged(index(0), index(rowCount() - 1), {state_role, part_role});
}

}  // namespace sfumato::gui
