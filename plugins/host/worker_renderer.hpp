// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// What a host renders with.
#pragma once

#include <memory>

#include "engine/renderer.hpp"

namespace sfumato::hosts {

/// A renderer in a worker process: no OpenCL driver is loaded into this one (host/client.hpp).
std::unique_ptr<Renderer> make_worker_renderer(RendererOptions options);

}  // namespace sfumato::hosts
