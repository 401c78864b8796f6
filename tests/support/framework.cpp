// SPDX-License-Identifier: BSL-1.0
// Nothing: a program needs a file for its precompiled headers to be made.
