// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// A blur that stops at edges of the geometry: a flag pass over normals and depths, then a separable
// Gaussian that walks outward from each pixel up to a flagged step. Structure, by -D: CHANNELS 1 or
// 4; HAS_NORMAL, HAS_DEPTH; FORM_CPU.
#include "shared/plane.clh"

#if CHANNELS == 4
typedef float4 pixel_t;
#define LOAD(p, i) load_rgba(p, i)
#define STORE(v, p, i) store_rgba(v, p, i)
#else
typedef float pixel_t;
#define LOAD(p, i) (p)[i]
#define STORE(v, p, i) (p)[i] = (v)
#endif

#ifdef FORM_CPU
#define SPAN 256  // pixels of a row per item
#define LOCAL 1
#else
#define SPAN 1
#define LOCAL 64
#endif

#define EDGE_LEFT 1
#define EDGE_RIGHT 2
#define EDGE_ABOVE 4
#define EDGE_BELOW 8

// Loops over this item's pixels of a plane; x and y are picture coordinates.
#define FOR_EACH_PIXEL(plane)                                                        \
  const int y = plane.y + (int)get_global_id(1);                                     \
  const int first = (int)get_global_id(0) * SPAN;                                    \
  const int last = min(first + SPAN, plane.width);                                   \
  if (y >= plane.y + plane.height) return;                                           \
  for (int x = plane.x + first; x < plane.x + last; ++x)

typedef struct {
  float4 normal;  // w is 0
  float depth;
  bool exists;
} Geometry;

// The geometry at (x, y) under the border rule; zeros where the rule demands them.
inline Geometry geometry_at(global const float* normals, Plane np, global const float* depths,
                            Plane dp, Edge edge, int x, int y) {
  Geometry g;
  g.normal = (float4)(0.0f);
  g.depth = 0.0f;
  const int mx = border_index(x, edge.x0, edge.x1, edge.rule);
  const int my = border_index(y, edge.y0, edge.y1, edge.rule);
  g.exists = mx != NOWHERE && my != NOWHERE;
  if (g.exists) {
#ifdef HAS_NORMAL
    g.normal = load_rgba(normals, plane_index(np, mx, my));
    g.normal.w = 0.0f;
#endif
#ifdef HAS_DEPTH
    g.depth = depths[plane_index(dp, mx, my)];
#endif
  }
  return g;
}

// Whether the step between two neighbours crosses an edge, as steps between incomparable values
// (NaN) do. fma is explicit, so that every device and the reference round alike.
inline bool crosses(Geometry a, Geometry b, float normal_threshold, float depth_threshold,
                    int rule) {
  if (rule == BORDER_RENORMALISE && (!a.exists || !b.exists)) return true;
#ifdef HAS_NORMAL
  const bool flat = all(a.normal == 0.0f) && all(b.normal == 0.0f);
  const float dot_product = fma(a.normal.x, b.normal.x,
                                fma(a.normal.y, b.normal.y, a.normal.z * b.normal.z));
  if (!flat && !(dot_product >= normal_threshold)) return true;
#endif
#ifdef HAS_DEPTH
  if (isinf(a.depth) || isinf(b.depth)) return !(isinf(a.depth) && isinf(b.depth));
  const float larger = fmax(fabs(a.depth), fabs(b.depth));
  if (!(fabs(a.depth - b.depth) <= depth_threshold * larger)) return true;
#endif
  return false;
}

// The flags of one pixel, under the border rule.
inline int flag_of(global const float* normals, Plane np, global const float* depths, Plane dp,
                   Edge edge, int x, int y, float normal_threshold, float depth_threshold) {
  const Geometry here = geometry_at(normals, np, depths, dp, edge, x, y);
  int flag = 0;
#define TRY(dx, dy, bit)                                                            \
  if (crosses(here, geometry_at(normals, np, depths, dp, edge, x + dx, y + dy),     \
              normal_threshold, depth_threshold, edge.rule)) flag |= bit
  TRY(-1, 0, EDGE_LEFT);
  TRY(1, 0, EDGE_RIGHT);
  TRY(0, -1, EDGE_ABOVE);
  TRY(0, 1, EDGE_BELOW);
#undef TRY
  return flag;
}

#ifdef FORM_CPU
#include "geometry_blur/cpu.clh"
#else
#include "geometry_blur/gpu.clh"

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void flag_edges(
    global const float* normals, Plane np, global const float* depths, Plane dp, Edge edge,
    global uchar* flags, Plane fp, float normal_threshold, float depth_threshold) {
  FOR_EACH_PIXEL(fp) {
    flags[plane_index(fp, x, y)] = (uchar)flag_of(normals, np, depths, dp, edge, x, y,
                                                  normal_threshold, depth_threshold);
  }
}
#endif

// The flags as a picture: 0..15 as 0..1, in every colour.
kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void show_flags(
    global const uchar* flags, Plane fp, global float* dst, Plane out) {
  FOR_EACH_PIXEL(out) {
    const float v = (float)flags[plane_index(fp, x, y)] / 15.0f;
#if CHANNELS == 4
    STORE((float4)(v, v, v, 1.0f), dst, plane_index(out, x, y));
#else
    STORE(v, dst, plane_index(out, x, y));
#endif
  }
}
