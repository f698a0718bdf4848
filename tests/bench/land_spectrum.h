#pragma once

#include <complex>
#include <vector>

#include "bench/land_fit.h"

/// How the power of heights depends on their wavelength.
namespace terrane::land {

/// The discrete Fourier transform, in place (Cooley and Tukey 1965).
/// @param values  a power of two of them
void transform(std::vector<std::complex<double>>& values);

/// The power of profiles against wavenumber, P = c k^-beta, from the mean over profiles: each less
/// its mean and under a Hann window; six bins for each power of ten. beta is minus the line's
/// slope. Of isotropic land, beta of its two-dimensional density is greater by one.
/// @param profiles  equally long, a power of two of samples
/// @param spacing  blocks between samples
/// @param shortest, longest  blocks: wavelengths that count
[[nodiscard]] Line profile_spectrum(const std::vector<std::vector<double>>& profiles,
                                    double spacing, double shortest, double longest);

}  // namespace terrane::land
