// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
#include "io/movie_light.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "io/module.hpp"
#include "io/movie_probe.hpp"

namespace sfumato::files {
namespace {

using Json = nlohmann::json;

// "35400/50000" in so many parts of one; 0 for what is no such number.
std::string in_parts(const Json& said, const char* name, double parts) {
  const double value = parts * quotient(said.value(name, std::string()));
  return std::to_string(value >= 0 && value < 4.2e9 ? std::llround(value) : 0);
}

std::string point(const Json& said, const std::string& name) {
  constexpr double parts = 50000;
  return "(" + in_parts(said, (name + "_x").c_str(), parts) + "," +
         in_parts(said, (name + "_y").c_str(), parts) + ")";
}

std::string mastering_of(const Json& said) {
  constexpr double parts = 10000;
  if (!said.contains("red_x") || !said.contains("max_luminance")) return {};
  return "G" + point(said, "green") + "B" + point(said, "blue") + "R" + point(said, "red") + "WP" +
         point(said, "white_point") + "L(" + in_parts(said, "max_luminance", parts) + "," +
         in_parts(said, "min_luminance", parts) + ")";
}

}  // namespace

MovieLight light_of(const MoviePrograms& programs, const std::filesystem::path& path) try {
  const Json all =
      Json::parse(first_picture_json(programs, path, "frame=pict_type:frame_side_data"));
  MovieLight out;
  for (const Json& frame : all.at("frames")) {
    for (const Json& said : frame.value("side_data_list", Json::array())) {
      if (out.mastering.empty()) out.mastering = mastering_of(said);
      if (!said.contains("max_content")) continue;
      out.level = std::to_string(said.value("max_content", 0)) + "," +
                  std::to_string(said.value("max_average", 0));
    }
  }
  return out;
} catch (const Json::exception&) {
  return {};
}

Message light_left_out(const std::filesystem::path& file, const std::filesystem::path& movie) {
  return message({"movie.no_light",
                  "{file}: the mastering display and the light level of {movie} are left out"},
                 shown(file), shown(movie));
}

}  // namespace sfumato::files
