# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# The metadata of the editor for software centres.
# As a script: cmake -DSFUMATO_HOMEPAGE=ADDRESS -DSFUMATO_SCREENSHOT_URL=ADDRESS -DOUTPUT=FILE
#              -P SfumatoMetainfo.cmake
set(SFUMATO_METAINFO
    "${CMAKE_CURRENT_LIST_DIR}/../desktop/org.sfumato.Editor.metainfo.xml.in")
if(NOT CMAKE_SCRIPT_MODE_FILE)
  # Packagers set the addresses.
  set(SFUMATO_HOMEPAGE "" CACHE STRING
      "Where people read about Sfumato, for software centres; empty: nowhere")
  set(SFUMATO_SCREENSHOT_URL "" CACHE STRING
      "Where the pictures of gui/images lie, for software centres; empty: nowhere")
endif()

function(sfumato_write_metainfo output)
  set(SFUMATO_ADDRESSES "")
  if(SFUMATO_HOMEPAGE)
    set(SFUMATO_ADDRESSES "  <url type=\"homepage\">${SFUMATO_HOMEPAGE}</url>\n")
  endif()
  set(SFUMATO_SCREENSHOTS "")
  if(SFUMATO_SCREENSHOT_URL)
    set(SFUMATO_SCREENSHOTS "  <screenshots>
    <screenshot type=\"default\">
      <caption>The picture before and after, split by a line that is dragged</caption>
      <caption xml:lang=\"de\">Vorher und nachher, geteilt von einer verschiebbaren Linie</caption>
      <image>${SFUMATO_SCREENSHOT_URL}/split-light.png</image>
    </screenshot>
    <screenshot>
      <caption>Side by side, in dark colours</caption>
      <caption xml:lang=\"de\">Nebeneinander, in dunklen Farben</caption>
      <image>${SFUMATO_SCREENSHOT_URL}/side-by-side-dark.png</image>
    </screenshot>
  </screenshots>
")
  endif()
  configure_file("${SFUMATO_METAINFO}" "${output}" @ONLY)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  sfumato_write_metainfo("${OUTPUT}")
endif()
