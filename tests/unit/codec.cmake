terrane_test(codec_test APART
  SOURCES codec_round_trip_test.cpp codec_frame_test.cpp codec_damage_test.cpp
    codec_objects_test.cpp codec_vectors_test.cpp
  LIBRARIES terrane_codec)
target_compile_definitions(codec_test PRIVATE
  TERRANE_CODEC_VECTORS="${PROJECT_SOURCE_DIR}/tests/golden/codec")

# What the compiler makes of the codec's loops, where it is to be fast.
terrane_test_program(codec_speed_test SOURCES codec_speed_test.cpp LIBRARIES terrane_codec)
terrane_discover(codec_speed_test LABELS timed unsanitized)

# Writes the test vectors anew; only for a change of format.
add_executable(codec_write_vectors EXCLUDE_FROM_ALL
  ${PROJECT_SOURCE_DIR}/tests/golden/codec/write_vectors.cpp
  ${PROJECT_SOURCE_DIR}/tests/golden/codec/refused_vectors.cpp)
target_link_libraries(codec_write_vectors PRIVATE terrane_options terrane_codec)
target_include_directories(codec_write_vectors PRIVATE ${PROJECT_SOURCE_DIR}/tests)

# A decoder written from proto/FORMAT.md alone reads the same vectors.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(vectors ${PROJECT_SOURCE_DIR}/tests/golden/codec)
  add_test(NAME codec_format_document_is_enough_to_decode_the_vectors
    COMMAND Python3::Interpreter ${vectors}/decode.py --check ${vectors})
endif()
