#include "gl.h"

#include <png.h>

#include <stdexcept>
#include <vector>

namespace flight {
namespace {

constexpr std::size_t kPage = 4096;

GLuint compile(GLenum kind, const std::string& text) {
  const GLuint shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done == 0) {
    std::string log(4096, '\0');
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
    throw std::runtime_error("shader: " + log);
  }
  return shader;
}

}  // namespace

void Buffer::fill(GLenum target, const void* data, std::size_t bytes) {
  if (id_ == 0) glGenBuffers(1, &id_);
  glBindBuffer(target, id_);
  if (bytes > capacity_) {
    capacity_ = (bytes + bytes / 8 + kPage - 1) / kPage * kPage;
    glBufferData(target, static_cast<GLsizeiptr>(capacity_), nullptr, GL_DYNAMIC_DRAW);
  }
  glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data);
}

GLuint make_program(const std::string& vertex, const std::string& fragment) {
  const GLuint program = glCreateProgram();
  glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
  glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program);
  GLint done = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &done);
  if (done == 0) throw std::runtime_error("shaders do not link");
  const GLuint block = glGetUniformBlockIndex(program, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(program, block, 0);
  return program;
}

void attribute(GLuint index, GLint count, GLsizei stride, std::size_t offset, GLuint divisor) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, count, GL_FLOAT, GL_FALSE, stride,
                        reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(index, divisor);
}

void save_picture(const std::string& file, int width, int height) {
  const auto row = static_cast<std::size_t>(width) * 3;
  std::vector<unsigned char> pixels(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  // OpenGL's first row is the lowest
  if (png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), -static_cast<int>(row),
                              nullptr) == 0)
    throw std::runtime_error(file + ": " + image.message);
}

}  // namespace flight
