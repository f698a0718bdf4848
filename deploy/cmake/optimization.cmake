# How much work the compiler puts into what: half of what a build costs. Elsewhere what the preset
# says, -O2.

# For inner loops, made for the compiler to unroll and vectorise.
function(terrane_hurried target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
endfunction()

# For what runs once, or waits for people and disks.
function(terrane_unhurried target)
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
endfunction()
