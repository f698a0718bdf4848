// What Debian 12's C++ library for WebAssembly lacks, as it has neither exceptions nor threads:
// throwing and catching, an operator new that throws where memory ends (its own returns NULL), and
// the end of thread_local objects. To be linked into whatever is compiled with -fwasm-exceptions.
//
// The compiler's side of this is Clang 16's: code after a `catch` instruction fills
// __wasm_lpad_context, calls _Unwind_CallPersonality, and reads which handler it is. The rest is
// the Itanium C++ ABI, https://itanium-cxx-abi.github.io/cxx-abi/abi-eh.html, as far as this tree
// needs it: one thread, and exceptions of no more than one base class each.
#ifndef __wasm_exception_handling__
#error "only for WebAssembly, with -fwasm-exceptions"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

namespace __cxxabiv1 {  // the ABI's names: 2.9.5, RTTI layout

class __class_type_info : public std::type_info {
 public:
  ~__class_type_info() override;
};
class __si_class_type_info : public __class_type_info {
 public:
  ~__si_class_type_info() override;
  const __class_type_info* __base_type;
};

}  // namespace __cxxabiv1

namespace {

using Destructor = void*(void*);  // it returns its object, here

/// What is thrown: this, and the program's object behind it.
struct alignas(std::max_align_t) Exception {
  const std::type_info* type = nullptr;
  Destructor* destroy = nullptr;
  Exception* before = nullptr;  // that was caught before this one, and still is
  int handlers = 0;             // that are running for it
  bool thrown_again = false;    // by one of them
};

Exception* caught = nullptr;  // last

void* object_of(Exception* exception) { return exception + 1; }
Exception* exception_of(void* object) { return static_cast<Exception*>(object) - 1; }

/// For the std::bad_alloc that says that memory has ended.
constexpr std::size_t kReserve = 64;
alignas(Exception) std::byte reserve[sizeof(Exception) + kReserve];
bool reserve_taken = false;

void* memory_for(std::size_t size) {
  if (void* memory = std::malloc(sizeof(Exception) + size)) return memory;
  if (reserve_taken || size > kReserve) std::abort();
  reserve_taken = true;
  return reserve;
}

void release(Exception* exception) {
  if (static_cast<void*>(exception) == reserve) {
    reserve_taken = false;
  } else {
    std::free(exception);
  }
}

bool is_a(const std::type_info* type, const std::type_info& wanted) {
  while (type != nullptr && *type != wanted) {
    const auto* derived = dynamic_cast<const __cxxabiv1::__si_class_type_info*>(type);
    type = derived == nullptr ? nullptr : derived->__base_type;
  }
  return type != nullptr;
}

std::uint32_t read_unsigned(const std::uint8_t*& at) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

std::int32_t read_signed(const std::uint8_t*& at) {
  std::uint32_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = *at++;
    value |= static_cast<std::uint32_t>(byte & 0x7f) << shift;
    shift += 7;
    if (byte >= 0x80) continue;
    if ((byte & 0x40) != 0 && shift < 32) value |= ~std::uint32_t{0} << shift;
    return static_cast<std::int32_t>(value);
  }
}

/// A function's table of handlers, the "LSDA" of the ABI's level II.
struct Handlers {
  explicit Handlers(const std::uint8_t* at) {
    constexpr std::uint8_t kOmitted = 0xff;
    ++at;  // no start of landing pads
    if (*at++ != kOmitted) {
      const std::uint32_t size = read_unsigned(at);
      types_end = at + size;
    }
    ++at;  // places are numbers
    const std::uint32_t size = read_unsigned(at);
    places = at;
    actions = at + size;
  }

  /// What a handler catches; null: everything. Pointers of 32 bits, the first one last.
  [[nodiscard]] const std::type_info* type(std::int32_t number) const {
    const std::type_info* found = nullptr;
    std::memcpy(&found, types_end - number * std::int32_t{sizeof found}, sizeof found);
    return found;
  }

  /// @param place  where in the function, from 0
  /// @return the first handler's number; 0: none
  [[nodiscard]] std::int32_t find(std::uint32_t place, const std::type_info* thrown) const {
    const std::uint8_t* at = places;
    for (std::uint32_t i = 0; i < 2 * place + 1; ++i) read_unsigned(at);
    const std::uint32_t first = read_unsigned(at);  // from 1
    if (first == 0) return 0;
    for (const std::uint8_t* action = actions + first - 1;;) {
      const std::int32_t number = read_signed(action);
      if (number > 0) {
        const std::type_info* wanted = type(number);
        if (wanted == nullptr || is_a(thrown, *wanted)) return number;
      }
      const std::uint8_t* const next = action;
      const std::int32_t offset = read_signed(action);
      if (offset == 0) return 0;
      action = next + offset;
    }
  }

  const std::uint8_t* types_end = nullptr;
  const std::uint8_t* places = nullptr;
  const std::uint8_t* actions = nullptr;
};

[[noreturn]] void raise(Exception* exception) { __builtin_wasm_throw(0, exception); }

void* allocate(std::size_t size, std::size_t alignment) {
  if (size == 0) size = 1;
  return alignment <= alignof(std::max_align_t)
             ? std::malloc(size)
             : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

}  // namespace

extern "C" {

// ---- What compiled code calls. Clang declares these itself; no header has them.

struct LandingPad {
  std::uint32_t place;
  const std::uint8_t* handlers;
  std::int32_t chosen;
};
LandingPad __wasm_lpad_context;

int _Unwind_CallPersonality(void* thrown) {
  constexpr int kHandlerFound = 6, kContinue = 8;
  LandingPad& pad = __wasm_lpad_context;
  pad.chosen = Handlers(pad.handlers).find(pad.place, static_cast<Exception*>(thrown)->type);
  return pad.chosen > 0 ? kHandlerFound : kContinue;
}

void* __cxa_allocate_exception(std::size_t size) noexcept {
  return object_of(new (memory_for(size)) Exception);
}
void __cxa_free_exception(void* object) noexcept { release(exception_of(object)); }

[[noreturn]] void __cxa_throw(void* object, std::type_info* type, Destructor* destroy) {
  Exception* const exception = exception_of(object);
  exception->type = type;
  exception->destroy = destroy;
  raise(exception);
}

void* __cxa_get_exception_ptr(void* thrown) noexcept {
  return object_of(static_cast<Exception*>(thrown));
}

void* __cxa_begin_catch(void* thrown) noexcept {
  auto* const exception = static_cast<Exception*>(thrown);
  exception->thrown_again = false;
  if (exception->handlers++ == 0) {
    exception->before = caught;
    caught = exception;
  }
  return object_of(exception);
}

void __cxa_end_catch() {
  Exception* const exception = caught;
  if (--exception->handlers > 0) return;
  caught = exception->before;
  if (exception->thrown_again) return;
  if (exception->destroy != nullptr) exception->destroy(object_of(exception));
  release(exception);
}

[[noreturn]] void __cxa_rethrow() {
  if (caught == nullptr) std::terminate();
  caught->thrown_again = true;
  raise(caught);
}

int __cxa_atexit(void (*destroy)(void*), void* object, void* library) noexcept;
/// The one thread ends with the program.
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* library) noexcept {
  return __cxa_atexit(destroy, object, library);
}

}  // extern "C"

void* operator new(std::size_t size) {
  if (void* memory = allocate(size, 1)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  if (void* memory = allocate(size, static_cast<std::size_t>(alignment))) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<std::size_t>(alignment));
}
