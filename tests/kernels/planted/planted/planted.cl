// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Sfumato authors
// Mistakes that sanitizers must find in kernels, one at a time; RIGHT has none. `numbers` and
// `scratch` have `count` numbers, and nobody has written them; there are as many items.
kernel void planted(global float* numbers, int count, local float* scratch) {
  const int i = (int)get_global_id(0);
#if defined(RIGHT)
  scratch[i] = 1.0f;
  numbers[i] = scratch[i];
#elif defined(GLOBAL_BEHIND)
  numbers[i + 1] = 1.0f;
#elif defined(GLOBAL_BEFORE)
  numbers[i - 1] = 1.0f;
#elif defined(LOCAL_BEHIND)
  scratch[i + 1] = 1.0f;
#elif defined(PRIVATE_BEHIND)
  float own[8];
  for (int k = 0; k <= count / 2; ++k) own[k] = 1.0f;
  numbers[i] = own[i / 2];
#elif defined(OVERFLOWN)
  numbers[i] = (float)(0x7ffffff8 + count);
#elif defined(GLOBAL_UNKNOWN)
  if (numbers[i] > 0.0f) numbers[i] = 1.0f;
#elif defined(LOCAL_UNKNOWN)
  if (scratch[i] > 0.0f) numbers[i] = 1.0f;
#elif defined(PRIVATE_UNKNOWN)
  float own[8];
  own[0] = 1.0f;
  if (own[count / 8] > 0.0f) numbers[i] = 1.0f;
#endif
}
