#pragma once

#include "worldgen/biome_table.h"
#include "worldgen/field_archive.h"
#include "worldgen/noise/fractal_noise.h"

/// The fields of what several parts of a world are made of, for compiled worlds.
namespace terrane::worldgen {

/// A noise that fill_fractal_noise takes.
void fields(FieldArchive& archive, noise::FractalNoise& noise);

/// An interval that something is in.
void fields(FieldArchive& archive, Interval& interval);

}  // namespace terrane::worldgen
