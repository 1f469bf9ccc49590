/* SPDX-License-Identifier: Apache-2.0
   SPDX-FileCopyrightText: The Sfumato authors
   What is in an object of kernels that a compiler made ahead of time. C and C++. */
#ifndef SFUMATO_NATIVE_KERNELS_HPP
#define SFUMATO_NATIVE_KERNELS_HPP

#include <stddef.h>

/* Work-items [begin, end) of a launch, in whole groups of `local` items. */
struct sfumato_native_items {
  size_t begin[2], end[2], local[2];
};

enum sfumato_native_kind {
  sfumato_native_value,  /* given by the address of its bytes, which are aligned for it */
  sfumato_native_memory, /* given by its address, or null */
  sfumato_native_local   /* given by the address of memory that one group uses at a time */
};

struct sfumato_native_argument {
  int kind;
  size_t bytes; /* of a value */
};

struct sfumato_native_kernel {
  const char* source;  /* the filter's, as kernels::Source::name */
  const char* options; /* the definitions of Launch::options, sorted, without -D, a space between */
  const char* name;
  size_t count; /* of arguments */
  const struct sfumato_native_argument* arguments;
  /* Runs the items one after the other, on this thread; different items on several threads at
     once, each call with its own local memory. */
  void (*run)(void* const* arguments, const struct sfumato_native_items* items);
};

/* The object's only symbol: its kernels, sorted by source, options and name, each by its bytes. */
struct sfumato_native_table {
  unsigned version;
  size_t count;
  const struct sfumato_native_kernel* kernels;
};
enum { sfumato_native_version = 1 };

#endif
