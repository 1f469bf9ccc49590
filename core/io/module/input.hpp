// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A picture read through OpenImageIO, and what the writer needs to know about it.
#pragma once

#include <future>

#include "io/module/origin.hpp"
#include "io/module/parts.hpp"
#include "io/module/tiff_page.hpp"

namespace sfumato::files {

class FilePicture final : public InputPicture,
                          public FileOrigin,
                          public FrameReader,
                          public DecodedRows {
 public:
  FilePicture(const std::filesystem::path& path, const ReadOptions& options);

  void read_rows(const Rect& region, void* to, std::ptrdiff_t row_stride) override;
  void keep_all() override { window_->keep_all(); }
  void expect(const Rect& next) override { window_->expect(next); }
  void turn_to(int frame) override;

  FileOrigin* origin() override { return this; }
  const std::string& description() override;
  PageCopy begin_page(int number, const PagePlace& to) override;
  PagePiece next_of_page() override;
  void read_native(int part, int y0, int y1, void* to, std::size_t bytes) override;
  std::vector<unsigned char> profile_with(const ProfileCurve& curve) override;
  bool can_convert_colors() override;
  void convert_colors(float* pixels, std::size_t count) override;

  int chunk_rows() const override;
  void use_memory(char* chunks) override { chunks_ = chunks; }
  const char* decode(int y0, int y1) override;

 private:
  /// The part that is processed, as the file holds it, with all its channels.
  const OIIO::ImageSpec& spec() const { return parts_[static_cast<std::size_t>(choice_.part)]; }
  /// Another reader of the same file.
  std::unique_ptr<OIIO::ImageInput> reopen() const {
    return open_as(info_.file_format, info_.path, page_ > 0);
  }
  /// The reader's number of a part or page.
  int number_of(int part) const { return page_ > 0 ? part + page_ - 1 : part; }
  OIIO::ImageInput& second_reader();
  char* chunk(int number);
  void begin_rows();
  OIIO::ImageSpec described(const OIIO::ImageSpec& said) const;
  void find_parts();
  void find_page();
  [[noreturn]] void throw_not_copied(const PageFault& fault) const;
  [[noreturn]] void throw_page_fault(int page, OIIO::ImageInput& in) const;
  int count_pages() const;
  void check(const ReadOptions& options) const;
  void check_density(const ReadOptions& options) const;
  void check_whole() const;
  bool is_cut_without_error() const;
  void find_format(const ReadOptions& options);
  void find_profile();
  void find_colors(bool data);
  void find_coding(bool data);
  void read_narrow();
  void read_hdr(const DeclaredColors& said);
  void decode_hdr_into(int y0, int y1, char* to);
  void find_windows();
  std::size_t find_working_bytes() const;
  void warn_of_pages(int pictures_in_file);
  void warn_of_page();
  void warn_of_further_pictures();
  void warn_of_attached(bool gain_map_in_jpeg);
  void warn_of_left_out();
  void warn_of_left_out_words();
  void warn_of_subfile_types();
  void warn_of_contents(bool as_asked);
  void find_other_numbers();
  void complete(OIIO::ImageSpec& spec) const;
  void decode_into(int y0, int y1, char* to);
  void decode_codes_into(int y0, int y1, SampleType as, char* to);
  void decode_samples_into(int y0, int y1, SampleType as, char* to);

  std::unique_ptr<OIIO::ImageInput> in_;
  std::unique_ptr<OIIO::ImageInput> second_;  // for rows as the file holds them
  std::string description_;
  std::optional<std::vector<std::uint64_t>> pages_;  // the directories of a TIFF file
  std::unique_ptr<TiffPageCopy> page_copy_;
  int copied_page_ = 0;             // its number, from 1
  std::uint64_t copied_bytes_ = 0;  // of all pages
  std::unique_ptr<ToSrgb> to_srgb_;
  std::vector<OIIO::ImageSpec> parts_;
  int page_ = 0;             // as ReadOptions::page
  std::uint64_t begin_ = 0;  // of that page in a JPEG file
  std::string trouble_;      // which libjpeg met in a file that it opened
  bool more_pages_ = false;
  DeclaredNumbers numbers_;
  SampleType hdr_samples_ = SampleType::u16;
  std::vector<float> light_of_codes_;      // of an HDR curve
  std::vector<std::uint16_t> full_range_;  // of codes of the narrow range; empty: all are full
  Choice choice_;
  std::optional<Message> other_numbers_;

  // The next rows, decoded while the caller works on the last ones.
  std::vector<char> own_chunks_, scratch_, codes_;
  char* chunks_ = nullptr;  // two
  int ahead_chunk_ = 0, ahead_y0_ = 0, ahead_y1_ = 0;
  std::future<void> ahead_;            // its thread uses the other members
  std::unique_ptr<RowWindow> window_;  // destroyed first: it may be reading ahead
};

/// Reads rows [y0, y1) of a part, packed: channels [begin, end) as `type`, or for TypeDesc::UNKNOWN
/// each as the file holds it. A row of tiles begins at `y0`. False on an error, which the reader
/// states.
bool read_rows_of(OIIO::ImageInput& in, int part, const OIIO::ImageSpec& spec, int y0, int y1,
                  int begin, int end, const OIIO::TypeDesc& type, void* to);

/// As FileModule::memory_to_open().
std::size_t memory_to_open(const std::filesystem::path& path, const std::string& kind);
/// The file's size if hardly any picture of the size that it claims takes so few bytes, in formats
/// whose pictures need none for what is blank (a canvas, blocks that are left out); else 0.
std::uint64_t few_bytes_for(const std::filesystem::path& path, const std::string& kind,
                            const OIIO::ImageSpec& spec);
/// Whether a file has as many bytes as the picture that it claims takes at least.
bool holds_claim(const std::filesystem::path& path, const std::string& kind,
                 const OIIO::ImageSpec& spec);

inline bool read_native_rows(OIIO::ImageInput& in, int part, const OIIO::ImageSpec& spec, int y0,
                             int y1, void* to) {
  return read_rows_of(in, part, spec, y0, y1, 0, spec.nchannels, OIIO::TypeDesc::UNKNOWN, to);
}

}  // namespace sfumato::files
