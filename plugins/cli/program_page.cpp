// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// The help pages of the program and its commands.
#include <algorithm>

#include "filters/registry.hpp"
#include "options.hpp"
#include "page.hpp"

namespace sfumato::cli {
namespace {

Section exit_statuses() {
  return {.title = "Exit status",
          .entries = {{.term = "0", .text = "everything was done"},
                      {.term = "1", .text = "something failed; a message on stderr says what"},
                      {.term = "2", .text = "the command line is wrong; nothing was done"}},
          .manual_only = true};
}

// Environment variables, and files that outlast a run.
Section environment_section() {
  return {
      .title = "Environment",
      .entries =
          {{.term = "SFUMATO_DEVICE", .text = "the device if --device is not given"},
           {.term = "OCL_ICD_VENDORS",
            .text = "the folder whose .icd files name the OpenCL drivers, or one such file; by "
                    "default /etc/OpenCL/vendors"},
           {.term = "POCL_CACHE_DIR",
            .text = "the folder where the driver PoCL keeps what it has compiled; by default "
                    "pocl/kcache in $XDG_CACHE_HOME or ~/.cache"},
           {.term = "XDG_CACHE_HOME",
            .text = "compiled kernels, tuned sizes and tried drivers are kept in its folder "
                    "sfumato; by default in ~/.cache/sfumato"},
           {.term = "XDG_DATA_HOME",
            .text = "your presets are kept in its folder sfumato/presets; by default in "
                    "~/.local/share/sfumato/presets"},
           {.term = "XDG_RUNTIME_DIR",
            .text = "if the cache folder cannot be written to, compiled kernels are kept in "
                    "its folder sfumato until you log out"},
           {.term = "TMPDIR",
            .text = "if neither the cache folder nor XDG_RUNTIME_DIR can be written to, compiled "
                    "kernels are kept in a temporary folder in it during the run; by default in "
                    "/tmp"}},
      .manual_only = true};
}

Section files_section() {
  return {.title = "Files",
          .entries = {{.term = "~/.local/share/sfumato/presets",
                       .text = "your presets, one recipe per .json file; all programs of Sfumato "
                               "use them"},
                      {.term = "~/.cache/sfumato",
                       .text = "compiled kernels; they are made again if they are missing"},
                      {.term = "~/.cache/sfumato/drivers",
                       .text = "which OpenCL drivers were tried, and which of them are left out; a "
                               "driver is tried again when its files change, or if this file is "
                               "missing"},
                      {.term = "~/.cache/sfumato/tuning.json",
                       .text = "the sizes that `sfumato tune` found"},
                      {.term = "/etc/OpenCL/vendors",
                       .text = "the OpenCL drivers that are "
                               "installed"}},
          .manual_only = true};
}

}  // namespace

Entry option_entry(const OptionHelp& o) {
  return {.term = o.name, .argument = o.argument, .brief = o.brief, .text = o.help};
}

Page command_page(const CommandInfo& command) {
  Page page{.name = page_name(command.name), .summary = command.summary, .usages = {command.usage}};
  page.sections.push_back({.title = "", .paragraphs = {command.text}});
  Section own{.title = "Options"}, common{.title = "Options"};
  for (const OptionHelp& o : command.own) own.entries.push_back(option_entry(o));
  for (const OptionHelp& o : common_option_help()) {
    const bool taken =
        std::find(command.options.begin(), command.options.end(), o.name) != command.options.end();
    const bool listed = std::any_of(own.entries.begin(), own.entries.end(),
                                    [&](const Entry& e) { return e.term == o.name; });
    if (taken && !listed) common.entries.push_back(option_entry(o));
  }
  if (!own.entries.empty()) common.title = "Common options";
  if (!own.entries.empty()) page.sections.push_back(std::move(own));
  if (!common.entries.empty()) page.sections.push_back(std::move(common));
  if (!command.examples.empty()) {
    page.sections.push_back({.title = "Examples", .lines = command.examples});
  }
  page.sections.push_back(exit_statuses());
  for (const std::string& other : command.related) page.related.push_back(page_name(other));
  return page;
}

Page program_page() {
  Page page{.name = "sfumato",
            .heading = "sfumato - filters for photographs and renders, the same pixels everywhere",
            .summary = "filters for photographs and renders, the same pixels everywhere",
            .usages = {"sfumato FILTER INPUT OUTPUT [--PARAMETER VALUE ...]",
                       "sfumato COMMAND [ARGUMENTS]", "sfumato --version | --help"}};
  page.sections.push_back(
      {.title = "",
       .paragraphs =
           {"Filters a picture file and writes another, on an OpenCL device where there is one. "
            "Outputs appear whole or not at all, and nothing is overwritten without --overwrite. "
            "The ending of the output's name chooses its format; depth, metadata, colour profile, "
            "orientation and resolution are kept as far as the format can hold them. A device "
            "that fails is replaced by the next one, and in the end by plain C++, with a warning.",
            "Options are written with hyphens where recipes have underscores: --range-sigma "
            "for range_sigma; names of filters may have either. Recipes are files that the editor, "
            "the plug-ins and `sfumato recipe` write."},
       .manual_only = true});
  Section commands{.title = "Commands"};
  for (const CommandInfo& c : all_commands()) {
    const std::string begin = "sfumato " + c.name;
    const std::size_t second = c.usage.find(" | sfumato");
    commands.entries.push_back(
        {.term = begin,
         .argument =
             c.usage.substr(std::min(begin.size() + 1, c.usage.size()),
                            second == std::string::npos ? second : second - begin.size() - 1),
         .text = c.summary});
  }
  page.sections.push_back(std::move(commands));
  Section filters{.title = "Filters"};
  for (const RegisteredFilter& f : Registry::get().all()) {
    filters.entries.push_back({.term = f.filter->info().id, .text = f.filter->info().summary});
  }
  filters.closing = {
      "`sfumato help FILTER` shows all about one, and so does its manual page, which has hyphens "
      "in its name: sfumato-fft-convolve(1) for fft_convolve."};
  page.sections.push_back(std::move(filters));
  Section options{.title = "Options of all commands that render", .manual_only = true};
  for (const OptionHelp& o : common_option_help()) options.entries.push_back(option_entry(o));
  page.sections.push_back(std::move(options));
  page.sections.push_back(exit_statuses());
  page.sections.push_back(environment_section());
  page.sections.push_back(files_section());
  page.sections.push_back(
      {.title = "Example", .lines = {"sfumato gaussian photo.jpg soft.png --sigma 8"}});
  return page;
}

}  // namespace sfumato::cli
