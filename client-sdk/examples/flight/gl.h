// The little of OpenGL 3.3 that is needed: programs, and buffers that keep their memory.
#pragma once
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <string>

namespace flight {

/// Lives as long as the context: there is nothing to be freed before.
class Buffer {
 public:
  /// Grows by an eighth more than is needed, so that soon nothing is allocated any more.
  void fill(GLenum target, const void* data, std::size_t bytes);
  [[nodiscard]] GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
  std::size_t capacity_ = 0;
};

/// Compiles and links; uniform block "Frame" is at binding 0.
/// Errors: throws std::runtime_error with the compiler's words.
GLuint make_program(const std::string& vertex, const std::string& fragment);

/// An attribute of floats at an offset; divisor 1: one an instance.
void attribute(GLuint index, GLint count, GLsizei stride, std::size_t offset, GLuint divisor = 0);

/// Writes what has been drawn into a PNG file. Errors: throws std::runtime_error.
void save_picture(const std::string& file, int width, int height);

}  // namespace flight
