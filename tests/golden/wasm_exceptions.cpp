// What core/wasm/runtime.cpp does for C++ in WebAssembly: exceptions reach the handlers that
// the language says, objects on the way are destroyed once, and the end of memory is an exception.
#include <cstdio>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace {

int failures = 0;
int alive = 0;

struct Counted {
  Counted() { ++alive; }
  Counted(const Counted&) { ++alive; }
  ~Counted() { --alive; }
};
struct Base {
  virtual ~Base() = default;
  Counted counted;
};
struct Middle : Base {};
struct Derived : Middle {};
struct Other {};

template <typename T>
[[gnu::noinline]] void throw_one(const T& what) {
  const Counted on_the_way;
  throw what;
}

/// Runs `body`, which says which handler was reached.
template <typename Body>
void expect(const std::string& wanted, const char* what, Body body) {
  std::string got;
  try {
    got = body();
  } catch (...) {
    got = "nobody";
  }
  if (got == wanted && alive == 0) return;
  std::printf("%s: %s instead of %s, %d objects left\n", what, got.c_str(), wanted.c_str(), alive);
  ++failures;
}

template <typename T>
std::string catch_in_order(const T& thrown) {
  try {
    throw_one(thrown);
  } catch (const Other&) {
    return "other";
  } catch (const Middle&) {
    return "middle";
  } catch (const Base&) {
    return "base";
  } catch (const std::exception& exception) {
    return exception.what();
  }
  return "none";
}

std::string pass_on(bool again) {
  try {
    try {
      throw_one(Derived());
    } catch (const Other&) {
      return "other";
    } catch (const Base&) {
      if (again) throw;
      throw_one(Other());
    }
  } catch (const Derived&) {
    return "derived";
  } catch (Other) {
    return "other behind";
  }
  return "none";
}

std::string throw_inside() {
  try {
    throw_one(Derived());
  } catch (const Base&) {
    try {
      throw;
    } catch (const Derived&) {
    }
    try {
      throw_one(std::string("second"));
    } catch (const std::string& second) {
      return second;
    }
  }
  return "none";
}

std::string end_memory() {
  std::string chain;
  try {
    // more than 4 GB in all; the last of them is refused
    std::unique_ptr<std::unique_ptr<char[]>[]> all(new std::unique_ptr<char[]>[64]);
    for (int i = 0; i < 64; ++i) all[static_cast<std::size_t>(i)].reset(new char[100'000'000]);
  } catch (const std::bad_alloc&) {
    return "no memory";
  }
  return "memory";
}

}  // namespace

int main() {
  expect("middle", "of a derived class", [] { return catch_in_order(Derived()); });
  expect("base", "of the base", [] { return catch_in_order(Base()); });
  expect("other", "of another class", [] { return catch_in_order(Other()); });
  expect("text", "of the library", [] { return catch_in_order(std::out_of_range("text")); });
  expect("nobody", "of no class", [] { return catch_in_order(7); });
  expect("derived", "thrown again", [] { return pass_on(true); });
  expect("other behind", "another one, thrown by a handler", [] { return pass_on(false); });
  expect("second", "thrown inside a handler", throw_inside);
  expect("no memory", "memory's end", end_memory);
  expect("no memory", "memory's end, again", end_memory);
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
