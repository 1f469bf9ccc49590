// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Reads the command line with CLI11; parameter values are read by the model's own parser.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>

#include "image/processors.hpp"
#include "io/io.hpp"
#include "matrix_file.hpp"
#include "params/errors.hpp"
#include "params/suggest.hpp"

namespace sfumato::cli {

const std::vector<OptionHelp>& common_option_help() {
  static const std::vector<OptionHelp> all{
      {"--device", "D",
       "auto, gpu, cpu, reference, a number, or part of a name (see `sfumato devices`)"},
      {"--bits", "N", "depth of the output: 8, 16, half or float; by default that of the input"},
      {"--overwrite", "", "replace OUTPUT if it exists"},
      {"--dither", "", "spread rounding errors when writing 8 or 16 bits, so that no bands appear"},
      {"--compression", "NAME",
       "compression of the output: fast or small in PNG; lzw, zip or none in TIFF; zip, zips, piz, "
       "rle, none, pxr24, b44 or dwaa in OpenEXR"},
      {"--quality", "N",
       "1 to 100 for JPEG, WebP, AVIF and HEIF, default 95, and for JPEG 2000, default 100; 100 is "
       "lossless, except in JPEG; keep uses that of a JPEG input"},
      {"--strip-metadata", "",
       "leave EXIF, IPTC, XMP, comments and the like out of the output; colours, orientation, "
       "resolution and shape of pixels stay as they are"},
      {"--profile", "P",
       "keep the colour profile, convert the colours to srgb, or strip the profile without "
       "changing the values; default keep"},
      {"--strip-profile", "", "short for --profile strip"},
      {"--fit", "WxH",
       "make the result smaller until it fits into so many pixels: 2048x1536, or 2048 for both "
       "sides; a smaller picture keeps its size"},
      {"--scale", "S", "make the result so many times as large: 50% or 0.5"},
      {"--filter", "NAME",
       "how --fit and --scale make new pixels: lanczos3 (sharp, the default), mitchell (softer) or "
       "box (means of areas)"},
      {"--memory", "MB", "device memory to use"},
      {"--threads", "N",
       "threads that compute on the processor, at most as many as the program may use; by default "
       "all of them"},
      {"--page", "N",
       "read only this page of a TIFF file or picture of an MPO, HEIF, PSD or ICO file, from 1"},
      {"--frame", "N", "read only this frame of an animation (GIF, WebP, PNG) or movie, from 1"},
      {"--max-pixels", "N", "refuse pictures with more pixels than this (default 2147483648)"},
      {"--no-sandbox", "",
       "decode files in this process, unprotected: a damaged or hostile one can do anything"},
      {"--verbose", "", "say which device and method are used, and how long it took",
       ArgumentKind::text, "-v"}};
  return all;
}

Message not_whole(const std::string& option, const std::string& text, std::int64_t least,
                  std::int64_t most) {
  return message(
      {"usage.not_whole", "{option} takes a whole number from {least} to {most}, not {value}"},
      option, least, most, in_quotes(text));
}

Message not_once(const std::string& option) {
  return message({"usage.not_once", "{option} takes exactly one value, given once"}, option);
}

std::string option_name(const std::string& parameter) {
  std::string name = "--" + parameter;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

namespace {

constexpr std::array bits_allowed = {"8", "16", "half", "float"};
constexpr std::array profiles_allowed = {"keep", "srgb", "strip"};
constexpr std::int64_t most_frames = 1'000'000'000;

std::string checked_bits(const std::string& text) {
  if (std::find(bits_allowed.begin(), bits_allowed.end(), text) == bits_allowed.end()) {
    throw UsageError(
        message({"usage.bits", "--bits takes 8, 16, half or float, not {value}"}, in_quotes(text)));
  }
  return text;
}

std::string checked_profile(const std::string& text, bool stripped) {
  if (std::find(profiles_allowed.begin(), profiles_allowed.end(), text) == profiles_allowed.end()) {
    throw UsageError(message({"usage.profile", "--profile takes keep, srgb or strip, not {value}"},
                             in_quotes(text)));
  }
  if (stripped && text != "strip") {
    throw UsageError(message({"usage.contradiction", "{option} and {other} contradict each other"},
                             "--profile " + text, "--strip-profile"));
  }
  return text;
}

std::int64_t checked_number(const char* option, const std::string& text, std::int64_t least,
                            std::int64_t most, bool megabytes = false) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < least || value > most) {
    throw UsageError(
        megabytes
            ? message({"usage.not_megabytes",
                       "{option} takes a whole number from {least} to {most} MB, not {value}"},
                      option, least, most, in_quotes(text))
            : not_whole(option, text, least, most));
  }
  return value;
}

// "2048x1536", or "2048" for both.
PictureSize checked_fit(const std::string& text) {
  constexpr int most = 1 << 20;
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto side = [&](std::string_view digits) {
    int value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error == std::errc() && stop == end && value >= 1 && value <= most) return value;
    throw UsageError(message({"usage.fit",
                              "--fit takes the largest width and height in pixels, such as "
                              "2048x1536, or one number for both, not {value}"},
                             in_quotes(text)));
  };
  const std::string_view all = text;
  const int width = side(all.substr(0, cross));
  return {width, cross == text.size() ? width : side(all.substr(cross + 1))};
}

// "50%" or "0.5".
double checked_scale(const std::string& text) {
  constexpr double least = 1e-4, most = 100;
  const bool percent = text.ends_with('%');
  const char* const end = text.data() + text.size() - (percent ? 1 : 0);
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (percent) value /= 100;
  if (error == std::errc() && stop == end && value >= least && value <= most) return value;
  throw UsageError(message({"usage.scale",
                            "--scale takes a percentage such as 50% or a number such as 0.5, from "
                            "0.01% to 100, not {value}"},
                           in_quotes(text)));
}

ResizeFilter checked_filter(const std::string& text) {
  constexpr std::array names = {"lanczos3", "mitchell", "box"};
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<ResizeFilter>(found - names.begin());
  throw UsageError(message(
      {"usage.filter", "--filter takes lanczos3, mitchell or box, not {value}"}, in_quotes(text)));
}

// CLI11 with all options. Common ones go into `common` unless they need checking.
class ArgumentReader {
 public:
  ArgumentReader(const ParameterSet* set, CommonOptions& common) : set_(set), common_(common) {
    app_.set_help_flag();
    app_.allow_extras();
    app_.add_option("--device", common.device);
    app_.add_option("--bits", bits_);
    app_.add_flag("--overwrite", common.overwrite);
    app_.add_flag("--verbose,-v", common.verbose);
    app_.add_flag("--dither", common.dither);
    app_.add_flag("--no-sandbox", common.no_sandbox);
    app_.add_flag("--strip-metadata", common.strip_metadata);
    app_.add_option("--profile", profile_);
    app_.add_flag("--strip-profile");
    app_.add_option("--quality", quality_);
    app_.add_option("--compression", common.compression);
    app_.add_option("--fit", fit_);
    app_.add_option("--scale", scale_);
    app_.add_option("--filter", filter_);
    app_.add_option("--memory", memory_);
    app_.add_option("--threads", threads_);
    app_.add_option("--max-pixels", max_pixels_);
    app_.add_option("--page", page_);
    app_.add_option("--frame", frame_);
    for (const OptionHelp& o : common_option_help()) known_.emplace_back(o.name);
    if (set == nullptr) return;
    for (const Parameter& p : *set) {
      std::string names = option_name(p.name);
      known_.push_back(names);
      if (p.name.find('_') != std::string::npos) names += ",--" + p.name;
      app_.add_option(names, texts_[p.name]);
    }
  }

  void read(const Arguments& arguments) {
    try {
      app_.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::ArgumentMismatch& e) {
      const std::string text = e.what();
      throw UsageError(not_once(text.substr(0, text.find(':'))));
    } catch (const CLI::ConversionError& e) {  // all values are texts, so only a switch can fail
      const std::string text = e.what();
      const std::size_t name = std::min(text.find("--"), text.size());
      throw UsageError(message({"usage.switch", "{option} is a switch and takes no value"},
                               text.substr(name, text.find_first_of(" =", name) - name)));
    } catch (const CLI::ParseError& e) {
      throw UsageError(foreign_message(e.what()));
    }
  }

  // The remaining words, none of which may look like an option.
  std::vector<std::string> words() const {
    std::vector<std::string> words = app_.remaining();
    for (const std::string& word : words) {
      if (word.size() < 2 || word[0] != '-') continue;
      const std::string name = word.substr(0, word.find('='));
      throw UsageError(no_option(in_quotes(name), nearest_name(name, known_)));
    }
    return words;
  }

  Message no_option(const std::string& word, const std::string& nearest) const {
    if (set_ == nullptr) {
      return nearest.empty() ? message({"usage.no_option", "there is no option {word}"}, word)
                             : message({"usage.no_option_but",
                                        "there is no option {word}; did you mean {nearest}?"},
                                       word, in_quotes(nearest));
    }
    return nearest.empty()
               ? message({"usage.no_option_of",
                          "there is no option {word} (`sfumato help {filter}` lists them)"},
                         word, set_->filter())
               : message({"usage.no_option_of_but",
                          "there is no option {word}; did you mean {nearest}? (`sfumato help "
                          "{filter}` lists them)"},
                         word, in_quotes(nearest), set_->filter());
  }

  // The common options that were given.
  std::vector<std::string> given() const {
    std::vector<std::string> names;
    for (const OptionHelp& o : common_option_help()) {
      if (is_given(o.name)) names.emplace_back(o.name);
    }
    return names;
  }

  // Checks and takes the common options that are numbers or one of a few words.
  void check_texts() {
    if (is_given("--bits")) common_.bits = checked_bits(bits_);
    const bool stripped = is_given("--strip-profile");
    if (stripped) common_.profile = "strip";
    if (is_given("--profile")) common_.profile = checked_profile(profile_, stripped);
    if (is_given("--quality")) {
      common_.quality = quality_ == "keep"
                            ? kept_quality
                            : static_cast<int>(checked_number("--quality", quality_, 1, 100));
    }
    if (is_given("--memory")) {
      common_.memory = checked_number("--memory", memory_, 16, std::int64_t{1} << 30, true);
    }
    if (is_given("--threads")) {
      common_.threads =
          static_cast<unsigned>(checked_number("--threads", threads_, 1, most_threads));
    }
    if (is_given("--max-pixels")) {
      common_.max_pixels = checked_number("--max-pixels", max_pixels_, 1, std::int64_t{1} << 48);
    }
  }

  void check_size() {
    const bool sized = is_given("--fit") || is_given("--scale");
    if (is_given("--filter") && !sized) {
      throw UsageError(message({"usage.filter_alone", "--filter belongs to --fit or --scale"}));
    }
    if (!sized) return;
    Resizing& resizing = common_.resizing.emplace();
    if (is_given("--fit")) resizing.most = checked_fit(fit_);
    if (is_given("--scale")) resizing.scale = checked_scale(scale_);
    if (is_given("--filter")) resizing.filter = checked_filter(filter_);
  }

  // Pages and frames are numbers of pictures in a file, whatever they are called.
  void check_pages() {
    if (is_given("--page") && is_given("--frame")) {
      throw UsageError(
          message({"usage.contradiction", "{option} and {other} contradict each other"}, "--page",
                  "--frame"));
    }
    if (is_given("--page")) common_.page = checked_number("--page", page_, 1, most_frames);
    if (is_given("--frame")) common_.page = checked_number("--frame", frame_, 1, most_frames);
  }

  // Sets the filter's parameters that were given.
  void set_values(Values& values) const {
    for (const Parameter& p : *set_) {
      if (!is_given(option_name(p.name))) continue;
      std::string text = texts_.at(p.name);
      if (p.kind == Kind::matrix && text.starts_with('@')) {
        text = matrix_from_file(text.substr(1), !common_.no_sandbox);
      }
      set_text(values, *set_, p.name, text);
    }
  }

 private:
  bool is_given(const std::string& option) const { return app_.count(option) != 0; }

  const ParameterSet* set_;
  CommonOptions& common_;
  CLI::App app_;
  std::string bits_, profile_, quality_, memory_, threads_, max_pixels_, page_, frame_, fit_,
      scale_, filter_;
  std::map<std::string, std::string> texts_;  // of parameters
  std::vector<std::string> known_;            // names of options
};

}  // namespace

Parsed parse_arguments(const Arguments& arguments, const ParameterSet* set) {
  Parsed parsed;
  ArgumentReader reader(set, parsed.common);
  // After "--" everything is a file.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  reader.read({arguments.begin(), end});
  parsed.positional = reader.words();
  if (end != arguments.end()) {
    parsed.positional.insert(parsed.positional.end(), end + 1, arguments.end());
  }
  parsed.given = reader.given();
  reader.check_texts();
  reader.check_pages();
  reader.check_size();
  if (set != nullptr) reader.set_values(parsed.values);
  return parsed;
}

}  // namespace sfumato::cli
