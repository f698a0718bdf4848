# How much work the compiler puts into what: half of what a build costs. Elsewhere what the preset
# says, -O2.

# For inner loops, made for the compiler to unroll and vectorise. Their precompiled headers are made
# with the same option: where they are not, GCC 12 compiles functions of target_clones, and those
# between pragmas of targets, as the headers were, and the codec encodes at a quarter of its speed.
function(terrane_hurried target)
  terrane_optimize_inner_loops(${target})
  target_precompile_headers(${target} REUSE_FROM terrane_hurried_headers)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
endfunction()
function(terrane_optimize_inner_loops target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
endfunction()

# For what runs once, or waits for people and disks.
function(terrane_unhurried target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()
