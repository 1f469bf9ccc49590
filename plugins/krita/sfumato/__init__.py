# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Sfumato authors
# Loaded by Krita: the extension registers itself.
from krita import Krita

from .extension import SfumatoExtension

Krita.instance().addExtension(SfumatoExtension(Krita.instance()))
