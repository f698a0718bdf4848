#include "scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "shaders.h"

namespace flight {
namespace {

constexpr int kShadowSize = 2048;    // texels
constexpr float kShadowReach = 400;  // blocks from the middle to each side
constexpr float kShadowDepth = 2000;

Vec3 unit(const Vec3& v) {
  const float length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

Vec3 sun_at(double hour) {
  const auto turn = static_cast<float>((hour - 6) / 12 * std::numbers::pi);
  return unit({std::cos(turn), 0.62f * std::sin(turn), 0.72f * std::sin(turn)});
}

/// Sees what the sun sees around a place before the eye, in whole texels of the world, so that
/// shadows stand still while the eye moves.
std::array<float, 16> shadow_projection(const View& view, const Vec3& sun, double floor) {
  const Vec3 right = unit({-sun[1], sun[0], 0});
  const Vec3 up{sun[1] * right[2] - sun[2] * right[1], sun[2] * right[0] - sun[0] * right[2],
                sun[0] * right[1] - sun[1] * right[0]};
  const Vec3 middle{view.forward[0] * kShadowReach * 0.8f, view.forward[1] * kShadowReach * 0.8f,
                    static_cast<float>(floor - view.eye[2])};
  const double texel = 2.0 * kShadowReach / kShadowSize;
  std::array<float, 16> matrix{};
  const std::array<Vec3, 2> axes{right, up};
  for (std::size_t row = 0; row < 2; ++row) {
    const double eye =
        view.eye[0] * axes[row][0] + view.eye[1] * axes[row][1] + view.eye[2] * axes[row][2];
    const double center = eye + dot(middle, axes[row]);
    const double shift = eye - std::floor(center / texel) * texel;
    for (std::size_t k = 0; k < 3; ++k) matrix[4 * k + row] = axes[row][k] / kShadowReach;
    matrix[12 + row] = static_cast<float>(shift / kShadowReach);
  }
  for (std::size_t k = 0; k < 3; ++k) matrix[4 * k + 2] = -sun[k] / kShadowDepth;
  matrix[14] = dot(middle, sun) / kShadowDepth;
  matrix[15] = 1;
  return matrix;
}

}  // namespace

struct Scene::Frame {
  std::array<float, 16> view_projection{}, shadow_projection{};
  std::array<float, 4> right{}, up{}, forward{}, sun{}, also{};
};

Scene::Scene()
    : sky_(make_program(shaders::kCommon + shaders::kSkyVertex,
                        shaders::kCommon + shaders::kSkyFragment)) {
  glGenVertexArrays(1, &empty_array_);
  glGenFramebuffers(1, &shadow_target_);
  glGenTextures(1, &shadow_map_);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, shadow_map_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowSize, kShadowSize, 0,
               GL_DEPTH_COMPONENT, GL_FLOAT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow_map_, 0);
  glDrawBuffer(GL_NONE);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_CULL_FACE);
  glFrontFace(GL_CW);  // counter-clockwise in Terrane's left-handed axes
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
}

void Scene::fill(const Frame& frame) {
  frame_.fill(GL_UNIFORM_BUFFER, &frame, sizeof frame);
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_.id());
}

void Scene::draw(const View& view, const Light& light, const Ground& ground, const Things& things,
                 double floor, int width, int height) {
  const Vec3 sun = sun_at(light.hour);
  Frame frame;
  frame.shadow_projection = shadow_projection(view, sun, floor);
  frame.view_projection = frame.shadow_projection;
  frame.sun = {sun[0], sun[1], sun[2], light.sight};
  frame.also = {static_cast<float>(std::fmod(light.seconds, 4096.0)), light.near_sight, 1, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    frame.right[k] = view.right[k] * view.tan_x;
    frame.up[k] = view.up[k] * view.tan_y;
    frame.forward[k] = view.forward[k];
  }
  fill(frame);
  glBindFramebuffer(GL_FRAMEBUFFER, shadow_target_);
  glViewport(0, 0, kShadowSize, kShadowSize);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2, 4);
  if (sun[2] > 0) {
    ground.draw(view, 2 * kShadowReach);
    things.draw(view, 2 * kShadowReach);
  }
  glDisable(GL_POLYGON_OFFSET_FILL);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);

  frame.view_projection = view.view_projection;
  frame.also[2] = 0;
  fill(frame);
  glViewport(0, 0, width, height);
  glClear(GL_DEPTH_BUFFER_BIT);
  things.draw(view, 0);
  ground.draw(view, 0);
  glUseProgram(sky_);
  glBindVertexArray(empty_array_);
  glDisable(GL_CULL_FACE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  ground.draw_water(view);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glEnable(GL_CULL_FACE);
}

void Scene::draw_plain(const View& view, const Ground& ground) {
  Frame frame;
  frame.view_projection = view.view_projection;
  frame.also[2] = 1;
  fill(frame);
  glClearColor(1, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  ground.draw(view, 0);
}

}  // namespace flight
