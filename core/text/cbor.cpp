// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// nlohmann-json's CBOR, with a bounded depth.
#include "text/cbor.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace sfumato {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

// Follows the parser, and stops it where arrays and objects lie too deep or are too many.
class DepthCheck final : public nlohmann::json_sax<Json> {
 public:
  bool is_refused() const { return depth_ > most || many_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(Json::number_integer_t) override { return true; }
  bool number_unsigned(Json::number_unsigned_t) override { return true; }
  bool number_float(Json::number_float_t, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  // Objects are searched key by key.
  bool key(std::string&) override {
    many_ = many_ || ++keys_[static_cast<std::size_t>(depth_)] > most_keys;
    return !many_;
  }
  bool start_object(std::size_t) override {
    keys_[static_cast<std::size_t>(++depth_)] = 0;
    return depth_ <= most;
  }
  bool start_array(std::size_t) override { return ++depth_ <= most; }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  static constexpr int most = 32, most_keys = 64;
  int depth_ = 0;
  std::array<int, most + 2> keys_{};  // of the object at each depth
  bool many_ = false;
};

}  // namespace

std::string to_cbor(const Json& value) {
  const Bytes bytes = Json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

Json from_cbor(std::string_view bytes) {
  DepthCheck check;
  Json::sax_parse(bytes.begin(), bytes.end(), &check, Json::input_format_t::cbor);
  if (check.is_refused()) throw Json::other_error::create(501, "too deep or too many", nullptr);
  return Json::from_cbor(bytes.begin(), bytes.end());
}

}  // namespace sfumato
