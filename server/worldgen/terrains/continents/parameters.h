#pragma once

#include <cstdint>

#include "worldgen/noise/fractal_noise.h"
#include "worldgen/terrains/continents/curve.h"

namespace terrane::worldgen {
class FieldArchive;
}

/// The parameters of the `continents` terrain, stage by stage, as a world file gives them. Lengths
/// are blocks.
namespace terrane::worldgen::continents {

using noise::FractalNoise;

/// Where land is. A noise is ranked by the share of the world below it; that rank, zero at the
/// coast and one at the heart of the land, is called `inland`: minus one is the heart of the sea.
/// Land, water and mountains all lie on ground that is bent by another noise.
struct Land {
  FractalNoise shape;
  FractalNoise warp;
  float warp_amplitude = 0;  // at most 16,384
  FractalNoise coast;
  float coast_amplitude = 0;  // in inland
  Curve inland;               // of the shape's noise: its rank
  Curve floor;                // of inland: height of the sea's bed, and how high land may be

  friend bool operator==(const Land&, const Land&) = default;
};

/// Which way water flows: from each node of a jittered lattice to the neighbour it falls to most
/// steeply, or to a course of coarser nodes.
struct Drainage {
  int spacing = 512;       // of the finest nodes: a power of two
  int levels = 4;          // of nodes, each four times as far apart as those of the next
  float trunk_height = 0;  // blocks: of the floors at the heart of the land
  float swing = 0;         // how far to a side rivers run where they swing most, per block along
  float stream_slope = 0;  // rise per block up from a course to the finest nodes, in mountains
  float jitter = 0;  // of the nodes, in spacings: below 0.25, so that no two watercourses can cross
  float reach = 0;   // how far from it a watercourse shapes the land: at most one spacing
  FractalNoise meander;
  float meander_amplitude = 0;
  float bed_width = 0;  // half the width of the ground on both sides that is level with it

  friend bool operator==(const Drainage&, const Drainage&) = default;
};

/// What flows along the watercourses, and where it gathers. Blocks.
struct Rivers {
  // of a river that brings the water of 1 km2; it grows as the root of that
  float width = 0;
  float widest = 0;       // but not beyond this; mouths are up to twice as wide
  float bank_height = 0;  // of the valley's floor above the water
  float lake_share = 0;   // of nodes where there is a lake though water could flow on
  float smallest_lake = 0, largest_lake = 0;  // radii
  // along those that are so wide, and the lakes they come through, a road is on each bank; 0: none
  float roads_from = 0;

  friend bool operator==(const Rivers&, const Rivers&) = default;
};

/// What rises above the valley floors.
struct Relief {
  FractalNoise mountain_mask;
  FractalNoise mountain_regions;  // where its mountains are there ...
  float region_threshold = -1;    // ... from this value on ...
  float region_range = 1;         // ... and fully so much above it
  // how steeply water falls on plains and among hills, as a share of what it does in mountains
  float plain_steepness = 0, hill_steepness = 0;
  float mountain_threshold = 0;  // of the mask's noise, from where on there are mountains
  float mountain_range = 1;      // above the threshold, until they are as high as they get
  float mountain_height = 0;
  FractalNoise ridges;
  float ridge_share = 0;  // of the mountains' height: the rest rises evenly from the valleys
  FractalNoise hill_mask;
  FractalNoise hills;
  float hill_height_low = 0, hill_height_high = 0;  // where the mask's noise is -1 and 1
  float seabed_height = 0;                          // of the sea bed's hills, both ways
  // half-width of a valley whose sides have no height ...
  float valley_width = 0;
  float valley_widening = 0;  // ... and what each block of height adds to it

  friend bool operator==(const Relief&, const Relief&) = default;
};

/// What running water has cut into the slopes: waves across the slope, each octave along the
/// gullies of the one before.
struct Gullies {
  noise::Frequency frequency;  // of the first octave's cells
  int octaves = 0;             // 0 … 8
  float gain = 0.5f;
  float depth = 0;  // blocks, of the first octave, on the steepest ground
  float steep = 0;  // rise per block from where on they are cut at their full depth
};

/// Tablelands and dunes, in dry country: where a noise is above its threshold, and where it is as
/// far below zero.
struct Landforms {
  FractalNoise regions;
  float threshold = 0;     // of the noise
  float humidity = 0;      // percent: where it is drier
  float table_height = 0;  // blocks above the valleys; 0: there are no tables
  float layer = 16;        // of rock, blocks
  float dune_height = 0;   // blocks; 0: there are no dunes
  int dune_length = 96;    // blocks from crest to crest; the wind blows towards +x
  FractalNoise crests;     // bends and breaks the dunes' crests
};

/// Temperature and humidity.
struct Climate {
  FractalNoise temperature;
  // degC at sea level, where the noise is -1 and 1
  float temperature_low = 0, temperature_high = 0;
  float lapse_rate = 0;  // degC a block
  FractalNoise humidity;
  float humidity_low = 0, humidity_high = 0;  // percent, where the noise is -1 and 1
  // percent more at the coast than at the heart of the land
  float coast_humidity = 0;
  // percent less behind the highest mountains, and more before them
  float rain_shadow = 0;
  // blocks over which mountains are felt; the wind blows towards +x
  int wind_reach = 1024;
  FractalNoise border;  // perturbs what chooses the biome
  float border_temperature = 0, border_humidity = 0;
  float border_height = 0;  // as a share of the height
};

/// The finest forms, sample by sample.
struct Ground {
  FractalNoise roughness;
  float amplitude_low = 0, amplitude_high = 0;  // blocks: on level ground, and on steep
};

void fields(FieldArchive& archive, Land& land);
void fields(FieldArchive& archive, Drainage& drainage);
void fields(FieldArchive& archive, Rivers& rivers);
void fields(FieldArchive& archive, Relief& relief);
void fields(FieldArchive& archive, Gullies& gullies);
void fields(FieldArchive& archive, Landforms& landforms);
void fields(FieldArchive& archive, Climate& climate);
void fields(FieldArchive& archive, Ground& ground);

}  // namespace terrane::worldgen::continents
