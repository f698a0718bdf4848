#pragma once

#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane {

/// The coarsest level of detail whose chunks hold a layer: what stands somewhere is drawn no
/// coarser.
constexpr Lod max_lod_of(Layer layer) {
  return layer == Layer::kPlacements   ? Lod{0}
         : layer == Layer::kStructures ? kMaxStructureLod
                                       : kMaxLod;
}

/// Of some layers those that chunks of a level of detail can hold. A request that names others is
/// refused; kAllLayers asks for what there is, and stays.
constexpr LayerMask layers_at(Lod lod, LayerMask layers) {
  if (layers == kAllLayers) return layers;
  for (const Layer layer : {Layer::kPlacements, Layer::kStructures})
    if (lod > max_lod_of(layer)) layers &= ~layer_bit(layer);
  return layers;
}

}  // namespace terrane
