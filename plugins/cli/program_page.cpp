// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What there is to say of the program and of its commands.
#include <algorithm>

#include "filters/registry.hpp"
#include "options.hpp"
#include "page.hpp"

namespace sfumato::cli {
namespace {

Entry entry_of(const OptionHelp& o) {
  return {.term = o.name, .argument = o.argument, .text = o.help};
}

Section exit_statuses() {
  return {.title = "Exit status",
          .entries = {{.term = "0", .text = "all is done"},
                      {.term = "1", .text = "something failed; a message on stderr says what"},
                      {.term = "2", .text = "the command line is wrong; nothing was begun"}},
          .manual_only = true};
}

}  // namespace

Page command_page(const CommandInfo& command) {
  Page page{.name = page_name(command.name), .summary = command.summary, .usages = {command.usage}};
  page.sections.push_back({.title = "", .paragraphs = {command.text}});
  Section own{.title = "Options"}, common{.title = "Options"};
  for (const OptionHelp& o : command.own) own.entries.push_back(entry_of(o));
  for (const OptionHelp& o : common_option_help()) {
    if (std::find(command.options.begin(), command.options.end(), o.name) !=
        command.options.end()) {
      common.entries.push_back(entry_of(o));
    }
  }
  if (!own.entries.empty()) common.title = "Options of all commands that render";
  if (!own.entries.empty()) page.sections.push_back(std::move(own));
  if (!common.entries.empty()) page.sections.push_back(std::move(common));
  if (!command.examples.empty()) {
    page.sections.push_back({.title = "Examples", .lines = command.examples});
  }
  page.sections.push_back(exit_statuses());
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
            "The output's format is that of its name; its depth, metadata, colour profile, "
            "orientation and resolution are the input's as far as the format holds them. A device "
            "that fails is replaced by the next one, and at last by plain C++, with a warning.",
            "Parameters are written with a hyphen where recipes have an underscore: --range-sigma "
            "for range_sigma; filters' names may have either. Recipes are files that the editor, "
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
  page.sections.push_back(std::move(filters));
  Section options{.title = "Options of all commands that render", .manual_only = true};
  for (const OptionHelp& o : common_option_help()) options.entries.push_back(entry_of(o));
  page.sections.push_back(std::move(options));
  page.sections.push_back(exit_statuses());
  page.sections.push_back(
      {.title = "Environment",
       .entries = {{.term = "SFUMATO_DEVICE", .text = "the device where --device is not given"},
                   {.term = "XDG_CACHE_HOME",
                    .text =
                        "compiled kernels and tuned sizes lie in its folder sfumato; without it in "
                        "~/.cache/sfumato"},
                   {.term = "XDG_DATA_HOME",
                    .text = "your presets lie in its folder sfumato/presets; without it in "
                            "~/.local/share/sfumato/presets"}},
       .manual_only = true});
  page.sections.push_back(
      {.title = "Example", .lines = {"sfumato gaussian photo.jpg soft.png --sigma 8"}});
  return page;
}

}  // namespace sfumato::cli
