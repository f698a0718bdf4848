#include <gtest/gtest.h>

#include <string>

#include "worlds/json.h"

namespace terrane::worlds {
namespace {

std::string in_quotes(std::string_view bytes) {
  std::string text = "\"";
  text += bytes;
  return text += '"';
}

std::string refusal(std::string_view text) {
  const auto value = parse_json(text);
  return value ? "" : value.error().message;
}

TEST(json, values_know_their_lines) {
  const auto root =
      parse_json("\xEF\xBB\xBF{\n  \"a\": [1,\n -2.5e1, true],\n  \"b\": { \"c\": null }\n}\n");
  ASSERT_TRUE(root) << root.error().message;
  EXPECT_EQ(root->names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root->items[0].line, 2);
  EXPECT_EQ(root->items[0].items[1].line, 3);
  EXPECT_EQ(root->items[0].items[1].number, -25);
  EXPECT_TRUE(root->items[0].items[2].boolean);
  EXPECT_EQ(root->items[1].line, 4);
  EXPECT_EQ(root->items[1].items[0].kind, JsonValue::Kind::kNull);
}

TEST(json, texts_are_unescaped_to_utf8) {
  const auto text = parse_json(R"("a\"\\\/\n\t\u00e9\u20AC\ud83d\ude00é")");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->text, "a\"\\/\n\t\u00e9\u20ac\U0001F600\u00e9");
}

TEST(json, a_missing_or_superfluous_comma_is_told_with_its_line) {
  EXPECT_EQ(
      refusal("{\n  \"a\": 1\n  \"b\": 2\n}"),
      "found '\"' where ',' or '}' should follow the value that ends in line 2 (line 3, column 3)");
  EXPECT_EQ(refusal("{\n  \"a\": 1,\n}"),
            "found '}' after a comma: one of them is too many (line 3, column 1)");
  EXPECT_EQ(
      refusal("[1 2]"),
      "found '2' where ',' or ']' should follow the value that ends in line 1 (line 1, column 4)");
}

TEST(json, what_is_not_json_is_refused_with_its_place) {
  EXPECT_EQ(refusal(""), "the file is empty (line 1, column 1)");
  EXPECT_EQ(refusal(" \n"), "the file is empty (line 2, column 1)");
  EXPECT_EQ(refusal("{ \"a\""),
            "the file ends where ':' should follow the name \"a\" (line 1, column 6)");
  EXPECT_EQ(refusal("{ 'a': 1 }"),
            "found ''' where a field's \"name\" should stand, in double quotes (line 1, column 3)");
  EXPECT_EQ(refusal("{} }"),
            "found '}' after the end; is a brace closed too early? (line 1, column 4)");
  EXPECT_NE(refusal("// no\n{}").find("found '/' where a value should begin"), std::string::npos);
  for (const char* text :
       {"NaN",    "Infinity",  "-",    "+1", ".5",  "1.",  "01",     "0x10",
        "1e",     "1e+",       "nul",  "[",  "{",   "[1,", "\"open", "\"two\nlines\"",
        "[1,,2]", "{\"a\" 1}", "{:1}", "[}", "\x01"}) {
    EXPECT_NE(refusal(text), "") << text;
  }
}

TEST(json, numbers_past_what_a_double_holds_are_refused) {
  EXPECT_EQ(refusal("1e999"), "the number 1e999 is too large or too small (line 1, column 6)");
  EXPECT_NE(refusal("-1e999"), "");
  EXPECT_NE(refusal("1e-999"), "");
  EXPECT_NE(refusal(std::string(100'000, '9')), "");
}

TEST(json, nesting_ends_at_32) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_EQ(refusal(nested(32)), "");
  EXPECT_NE(refusal(nested(33)).find("nested more than 32 deep"), std::string::npos);
  EXPECT_NE(refusal(std::string(1'000'000, '[')).find("nested more than 32 deep"),
            std::string::npos);
  EXPECT_NE(refusal(std::string(1'000'000, '{')), "");
}

TEST(json, texts_that_are_not_utf8_or_hold_control_characters_are_refused) {
  for (const char* bytes : {"\xff", "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xc3", "\xe2\x82"}) {
    EXPECT_NE(refusal(in_quotes(bytes)).find("not UTF-8"), std::string::npos)
        << refusal(in_quotes(bytes));
  }
  EXPECT_NE(refusal(std::string("\"a\0b\"", 5)).find("control characters"), std::string::npos);
  EXPECT_NE(refusal(std::string("{}\0", 3)).find("found the byte 0x00"), std::string::npos);
  for (const char* escape : {"\\u0000", "\\u001f", "\\ud800", "\\udc00", "\\ud800\\u0041",
                             "\\ud800x", "\\x41", "\\u12", "\\u12g4", "\\"}) {
    EXPECT_NE(refusal(in_quotes(escape)), "") << escape;
  }
}

}  // namespace
}  // namespace terrane::worlds
