#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# LLVM 19 takes the operands of a masked vpternlog for each other's where one of them is also kept
# by the mask. No kernel may be written so that it comes about; not every machine can run the code.
#   masked_logic.sh OBJECT
set -euo pipefail
found=$(objdump -d --no-show-raw-insn "$1" | grep -c 'vpternlog.*{%k' || true)
if [ "$found" != 0 ]; then
  echo "$found masked vpternlog in $1"
  exit 1
fi
