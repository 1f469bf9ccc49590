// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Warns of what a file holds besides the picture that is read.
#include <algorithm>

#include "io/module/embedded.hpp"
#include "io/module/input.hpp"
#include "params/suggest.hpp"

namespace sfumato::files {
namespace {

using OIIO::ImageSpec;
using OIIO::TypeDesc;

// Whether channels are the three numbers of a direction, by their names.
bool are_vectors(const std::vector<std::string>& names) {
  constexpr std::string_view tails = "xyz";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = lower(names[i]);
    const std::size_t dot = name.rfind('.');
    const std::string tail = dot == std::string::npos ? name : name.substr(dot + 1);
    if (i >= tails.size() || tail != tails.substr(i, 1)) return false;
  }
  return names.size() == tails.size();
}

// JUMBF boxes (ISO/IEC 19566-5) with signed statements.
bool has_credentials(const std::filesystem::path& path) {
  Bytes in = opened_jpeg(path, 1);
  std::uint64_t end = 0;
  const std::vector<Segment> head = head_of_jpeg(in, end);
  return std::any_of(head.begin(), head.end(), [&](const Segment& s) {
    return s.marker == jpeg_app11 && s.begins(in, "JP") &&
           s.body(in).find("c2pa") != std::string::npos;
  });
}

}  // namespace

// Warns of pictures besides the first.
void FilePicture::warn_of_pages(int pictures_in_file) {
  const ImageSpec& s = spec();
  const int pictures = std::max(pictures_in_file, s.get_int_attribute("sfumato:pictures"));
  if (pictures > 1) {
    warn(message({"file.several_pictures",
                  "{file}: the file holds {count} pictures; only the main one is "
                  "read"},
                 shown(info_.path), pictures));
  }
  const int frames = s.get_int_attribute("sfumato:frames");
  const bool more = s.get_int_attribute(pages_beyond) != 0;
  const MessageValue count =
      more && frames == most_pages
          ? MessageValue(message({"file.more_than", "more than {count}"}, frames))
          : MessageValue(frames);
  const bool beside = info_.file_format == "png" && frames > 0 && is_beside_frames(info_.path);
  if (frames > 1 && !beside) {
    warn(message({"file.animation",
                  "{file}: the file is an animation of {count} frames; only the "
                  "first one is read"},
                 shown(info_.path), count));
  } else if (frames > 1) {
    warn(message({"file.animation_beside",
                  "{file}: the file is an animation of {count} frames; the picture that stands "
                  "for it where it is not played is read instead"},
                 shown(info_.path), count));
  }
}

Message without_smaller_copies(const std::filesystem::path& path) {
  return message(
      {"file.smaller_copies",
       "{file}: its smaller copies (mip-map or rip-map levels), which show the unfiltered "
       "picture, are left out"},
      shown(path));
}

// Warns of smaller copies, of pages that are too many, and of a number of frames that is not so.
void FilePicture::warn_of_further_pictures() {
  if (std::any_of(parts_.begin(), parts_.end(), [](const OIIO::ImageSpec& part) {
        return part.get_int_attribute(smaller_copies) != 0;
      })) {
    warn(without_smaller_copies(info_.path));
  }
  if (page_ > 0 && spec().get_int_attribute(pages_beyond) != 0) {
    warn(message({"file.pages_beyond",
                  "{file}: the file has more than {count} pages or frames; those after them are "
                  "left out"},
                 shown(info_.path), most_pages));
  }
  if (info_.file_format != "png") return;
  Bytes in(info_.path, true);
  const std::uint64_t announced = announced_frames_of_png(in);
  const int frames = frames_of_png(info_.path);
  if (announced == 0 || announced == static_cast<std::uint64_t>(frames)) return;
  warn(message({"file.announced_frames",
                "{file}: the file announces {announced} frames; the number of those that it holds "
                "is {count}"},
               shown(info_.path), announced, frames));
}

// Warns of a page that is no picture of its own.
void FilePicture::warn_of_page() {
  if (info_.file_format != "tiff") return;
  Bytes in(info_.path, false);
  const int type = subfile_bits(in, TiffDirectory(in, directory_of(spec())));
  if ((type & subfile_mask) != 0) {
    warn(message({"file.page_is_mask",
                  "{file}: page {page} is not a picture, but says where another page is "
                  "transparent"},
                 shown(info_.path), page_));
  } else if ((type & subfile_reduced) != 0) {
    warn(message({"file.page_is_reduced", "{file}: page {page} is a smaller copy of another page"},
                 shown(info_.path), page_));
  }
}

// Warns of what belongs to the unfiltered picture.
void FilePicture::warn_of_attached(bool gain_map_in_jpeg) {
  HeifAttached attached;
  attached.gain_map = gain_map_in_jpeg;
  if (info_.file_format == "jpeg") attached.movie = has_movie_in_jpeg(info_.path);
  if (info_.file_format == "heif") attached = attached_in_heif(info_.path);
  if (info_.file_format == "jpeg") attached.credentials = has_credentials(info_.path);
  if (info_.file_format == "tiff")
    attached.credentials = has_credentials_in_tiff(info_.path, spec());
  if (attached.credentials) {
    warn(message({"file.credentials",
                  "{file}: the file's content credentials (C2PA) vouch for the unfiltered picture; "
                  "they are left out"},
                 shown(info_.path)));
  }
  if (attached.gain_map) {
    warn(message({"file.gain_map",
                  "{file}: the file's gain map for HDR displays fits the unfiltered picture only; "
                  "it is left out"},
                 shown(info_.path)));
  }
  if (info_.file_format == "tiff" && has_photoshop_layers(info_.path, spec())) {
    warn(message({"file.layers_attached",
                  "{file}: Photoshop's layers in the file belong to the unfiltered picture; they "
                  "are left out"},
                 shown(info_.path)));
  }
  if (!attached.auxiliary.empty()) {
    warn(message({"file.auxiliary_pictures",
                  "{file}: auxiliary pictures, such as depths or masks, fit the unfiltered picture "
                  "only; they are left out: {kinds}"},
                 shown(info_.path), printable(attached.auxiliary)));
  }
  if (info_.file_format == "jpeg" && !attached.movie && !attached.gain_map) {
    if (const std::uint64_t behind = bytes_behind_jpeg(info_.path); behind > 0) {
      warn(message({"file.bytes_behind",
                    "{file}: {count} bytes behind the picture, such as a camera's own data, are "
                    "left out"},
                   shown(info_.path), behind));
    }
  }
  if (attached.movie) {
    warn(message({"file.movie_attached",
                  "{file}: the movie in the file (a motion photo) belongs to the unfiltered "
                  "picture; it is left out"},
                 shown(info_.path)));
  }
}

// Of the page that is read, or of all: they decide on which is read.
void FilePicture::warn_of_subfile_types() {
  Bytes in(info_.path, false);
  const std::vector<std::uint64_t> pages =
      page_ > 0 ? std::vector{directory_of(spec())} : pages_in_tiff(in).directories;
  TiffDirectory directory(in);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (pages[i] != 0) directory.go_to(in, pages[i]);
    if (!has_unknown_subfile_type(in, directory)) continue;
    warn(message({"file.subfile_type",
                  "{file}: what page {page} is to the others is said in a way that makes no sense "
                  "(NewSubfileType); it is taken for a picture of its own"},
                 shown(info_.path), page_ > 0 ? page_ : static_cast<int>(i) + 1));
    return;
  }
}

// Warns of what its readers found of its pictures and cannot pass on.
void FilePicture::warn_of_left_out() {
  if (info_.file_format == "tiff" && has_16_bit_palette(info_.path, spec())) {
    warn(message({"file.palette_of_16_bits",
                  "{file}: the colours of its palette have 16 bits; eight of them are read"},
                 shown(info_.path)));
  }
  if (info_.file_format == "tiff") {
    if (const int more = further_pictures_in_tiff(info_.path, spec()); more > 0) {
      warn(message({"file.further_pictures",
                    "{file}: pictures that belong to this one (SubIFDs) are left out: {count}"},
                   shown(info_.path), more));
    }
  }
  if (info_.file_format == "tiff") warn_of_subfile_types();
  if (info_.file_format == "tiff" && leaves_out_white(spec())) {
    warn(message({"file.white_is_zero",
                  "{file}: its numbers are read as data; that zero means white is left out"},
                 shown(info_.path)));
  }
  if (spec().get_int_attribute("sfumato:shifted") != 0) {
    warn(
        message({"file.shifted",
                 "{file}: its samples are signed; they are shifted by half of their range, so that "
                 "none is below zero"},
                shown(info_.path)));
  }
  if (const std::string unread(spec().get_string_attribute("sfumato:unread")); !unread.empty()) {
    warn(message({"file.unread_pictures",
                  "{file}: pictures in the file that cannot be read are left out: {numbers}"},
                 shown(info_.path), unread));
  }
  if (spec().get_int_attribute("sfumato:pages_cut") != 0) {
    warn(message({"file.pages_cut",
                  "{file}: the list of its pages is damaged or cut short; those after page {page} "
                  "are left out"},
                 shown(info_.path), spec().get_int_attribute("sfumato:pages", 1)));
  }
  if (spec().get_int_attribute("sfumato:no_zero") != 0) {
    warn(
        message({"fits.no_zero",
                 "{file}: the offset for 32-bit integers that its header states (BZERO) would hide "
                 "its float numbers; it is left out"},
                shown(info_.path)));
  }
  if (info_.file_format == "dds") {
    for (const Message& note : notes_on_dds(info_.path)) warn(note);
  }
  if (spec().get_int_attribute("sfumato:targa_table") != 0) {
    warn(message({"file.color_correction",
                  "{file}: its table for correcting colours is not applied, and left out"},
                 shown(info_.path)));
  }
}

// The same of what it says.
void FilePicture::warn_of_left_out_words() {
  if (const std::string others(spec().get_string_attribute("sfumato:others")); !others.empty()) {
    warn(message({"file.other_keywords",
                  "{file}: what the file's header says besides is left out: {keywords}"},
                 shown(info_.path), in_quotes(others)));
  }
  if (const std::string others(spec().get_string_attribute(other_data)); !others.empty()) {
    warn(message({"file.other_data",
                  "{file}: data besides the picture, of kinds that are not known here, are left "
                  "out: {kinds}"},
                 shown(info_.path), printable(others)));
  }
  if (spec().get_int_attribute("sfumato:png_more") != 0) {
    warn(message({"file.more_chunks",
                  "{file}: the file says what it is in more than {most} chunks; what those after "
                  "them say is left out"},
                 shown(info_.path), most_png_chunks));
  }
  if (const std::string texts(spec().get_string_attribute(unread_texts)); !texts.empty()) {
    warn(message({"file.unread_texts",
                  "{file}: texts in it that are damaged or too long are left out: {names}"},
                 shown(info_.path), in_quotes(texts)));
  }
  if (spec().get_int_attribute("sfumato:comments_cut") != 0) {
    warn(message({"file.comments_cut",
                  "{file}: its comments are too long; what is beyond their first 1048576 bytes is "
                  "left out"},
                 shown(info_.path)));
  }
  if (const int binary = spec().get_int_attribute("sfumato:binary_comments"); binary > 0) {
    warn(message(
        {"file.binary_comments", "{file}: comments in it that are not texts are left out: {count}"},
        shown(info_.path), binary));
  }
  if (const std::string date(spec().get_string_attribute("sfumato:no_date")); !date.empty()) {
    warn(message(
        {"file.no_date", "{file}: its date is none of the calendar ({date}), and is left out"},
        shown(info_.path), date));
  }
}

// Warns of pages, of what belongs together, and of channels left out.
void FilePicture::warn_of_contents(bool as_asked) {
  const JpegPictures jpeg =
      info_.file_format == "jpeg" ? pictures_in_jpeg(info_.path) : JpegPictures();
  warn_of_left_out();
  warn_of_left_out_words();
  if (info_.file_format == "dpx") {
    if (const auto said = user_data_of_dpx(info_.path)) warn(*said);
  }
  if (info_.file_format == "psd") {
    for (const Message& said : warnings_of_psd(info_.path, spec())) warn(said);
  }
  if (page_ > 0) warn_of_page();
  warn_of_further_pictures();
  if (page_ == 0) warn_of_pages(static_cast<int>(jpeg.begins.size()));
  if (page_ <= 1) warn_of_attached(jpeg.gain_map);
  const std::vector<std::string> views =
      info_.file_format == "openexr" ? other_views(parts_, choice_) : std::vector<std::string>();
  if (!as_asked && !views.empty()) {
    warn(message(
        {"file.views", "{file}: the picture has other views, which stay as they are: {views}"},
        shown(info_.path), in_quotes(OIIO::Strutil::join(views, ", "))));
  }
  std::vector<std::string> names;
  for (const int c : choice_.channels) names.push_back(spec().channel_name(c));
  const bool together = choice_.blank > 0 || are_vectors(names);
  if (!as_asked && info_.file_format == "openexr" && together) {
    warn(message({"file.vectors",
                  "{file}: the channels {channels} belong together and are filtered together, as "
                  "numbers"},
                 shown(info_.path), OIIO::Strutil::join(names, ", ")));
  }
  if (choice_.left_out > 0) {
    warn(message({"file.depth_of_several",
                  "{file}: the depth picture has {count} channels; the first one is "
                  "taken"},
                 shown(info_.path), choice_.left_out + 1));
  }
}

// Warns of types that the engine does not have: their numbers are read as float.
void FilePicture::find_other_numbers() {
  const ImageSpec& s = spec();
  const auto say_floats = [this] {
    warn(message({"file.read_as_floats",
                  "{file}: the file's {numbers} are read as float numbers, which "
                  "keep 24 bits of them"},
                 shown(info_.path), *other_numbers_));
  };
  if (const int held = s.get_int_attribute("sfumato:integer_bits"); held > 0) {
    other_numbers_ = message({"numbers.integers", "{bits}-bit integers"}, held);
    return say_floats();
  }
  for (const int c : choice_.channels) {
    const TypeDesc t = s.channelformat(c);
    if (t == TypeDesc::UINT8 || t == TypeDesc::UINT16 || t == TypeDesc::HALF ||
        t == TypeDesc::FLOAT) {
      continue;
    }
    const int bits = s.get_int_attribute("oiio:BitsPerSample", static_cast<int>(8 * t.size()));
    if (t.is_floating_point()) {
      other_numbers_ = message({"numbers.floats", "{bits}-bit float numbers"}, bits);
      warn(message({"file.read_as_32_bits",
                    "{file}: the file's {numbers} are read as 32-bit ones, which "
                    "keep 7 digits, up to 3.4e38"},
                   shown(info_.path), *other_numbers_));
    } else if (t.is_signed()) {
      other_numbers_ = message({"numbers.signed", "signed {bits}-bit integers"}, bits);
      warn(message({"file.read_as_data",
                    "{file}: the file's {numbers} are read as data from -1 to 1, "
                    "without a tone curve"},
                   shown(info_.path), *other_numbers_));
    } else {
      other_numbers_ = message({"numbers.integers", "{bits}-bit integers"}, bits);
      say_floats();
    }
    return;
  }
}

}  // namespace sfumato::files
