// Gradients and fades, shared by the noises. Compiled once per instruction set by each noise's
// file. Every float operation is an exactly rounded +, -, * or / in an order that does not depend
// on the number of lanes: that is what makes all targets agree bit for bit.

#if defined(TERRANE_WORLDGEN_NOISE_GRADIENT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TERRANE_WORLDGEN_NOISE_GRADIENT_INL_H_
#undef TERRANE_WORLDGEN_NOISE_GRADIENT_INL_H_
#else
#define TERRANE_WORLDGEN_NOISE_GRADIENT_INL_H_
#endif

#include "hwy/highway.h"
#include "worldgen/noise/fractal_noise.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::noise::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::CappedTag<float, kRowAlignment>;
using I = hn::RebindToSigned<F>;
using U = hn::RebindToUnsigned<F>;
using VF = hn::VFromD<F>;
using VU = hn::VFromD<U>;

HWY_INLINE VF fade(VF t) {
  const F d;
  const VF inner = hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, hn::Set(d, 6.0f)), hn::Set(d, 15.0f))),
                           hn::Set(d, 10.0f));
  return hn::Mul(hn::Mul(hn::Mul(t, t), t), inner);
}

/// Unit gradients of lattice points, from the halves of their column's and row's hashes. The upper
/// two bits of the product choose a quadrant, the others the angle within; sine and cosine are
/// minimax polynomials on a quarter turn, off by less than 1e-5.
HWY_INLINE void gradient(VU column1, VU column2, VU row1, VU row2, VF& x, VF& y) {
  const F d;
  const I di;
  const U du;
  const VU h = hn::Mul(hn::Add(column1, row1), hn::Add(column2, row2));
  const VU h1 = hn::ShiftLeft<1>(h);
  const VF t = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, hn::ShiftLeft<2>(h))),
                       hn::Set(d, 1.0f / 2147483648.0f));
  const VF t2 = hn::Mul(t, t);
  const VF odd = hn::Add(hn::Mul(t2, hn::Set(d, 0.00242710740f)), hn::Set(d, -0.0807140009f));
  const VF sine = hn::Mul(t, hn::Add(hn::Mul(t2, odd), hn::Set(d, 0.785394235f)));
  const VF even = hn::Add(hn::Mul(t2, hn::Set(d, 0.0153718725f)), hn::Set(d, -0.308245153f));
  const VF cosine = hn::Add(hn::Mul(t2, even), hn::Set(d, 0.999990039f));
  const VU sign = hn::Set(du, 0x80000000u);
  // Not IfNegativeThenElse: Highway 1.0.3's looks at a float's value on one target and at each of
  // its bits on another.
  const auto swap = hn::MaskFromVec(hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, h1))));
  x = hn::Xor(hn::IfThenElse(swap, sine, cosine), hn::BitCast(d, hn::And(hn::Xor(h, h1), sign)));
  y = hn::Xor(hn::IfThenElse(swap, cosine, sine), hn::BitCast(d, hn::And(h, sign)));
}

}  // namespace terrane::worldgen::noise::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
