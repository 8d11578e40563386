// SPDX-License-Identifier: Apache-2.0
// Reads kernel signatures from Intel's native modules.
#include "runtime/zebin.h"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace xpu::runtime {
namespace {

Status broken(const char* what) {
  return Status::error(xpuErrorInvalidKernelImage, std::string("the native module ") + what,
                       "image");
}

template <class T>
std::optional<T> read_at(const std::byte* image, size_t size, uint64_t at) noexcept {
  if (at > size || size - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, image + at, sizeof value);
  return value;
}

std::optional<std::string_view> section(const std::byte* image, size_t size,
                                        std::string_view name) {
  const auto header = read_at<Elf64_Ehdr>(image, size, 0);
  if (!header || header->e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  auto section_at = [&](uint64_t i) {
    return read_at<Elf64_Shdr>(image, size, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  auto bytes_of = [&](const Elf64_Shdr& s) -> std::optional<std::string_view> {
    if (s.sh_offset > size || s.sh_size > size - s.sh_offset) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(image) + s.sh_offset, s.sh_size);
  };
  if (header->e_shoff > size) return std::nullopt;
  const auto names_at = section_at(header->e_shstrndx);
  const auto names = names_at ? bytes_of(*names_at) : std::nullopt;
  if (!names) return std::nullopt;
  for (uint64_t i = 0; i < header->e_shnum; i++) {
    const auto s = section_at(i);
    if (!s || s->sh_name >= names->size()) continue;
    const std::string_view rest = names->substr(s->sh_name);
    if (rest.substr(0, rest.find('\0')) == name) return bytes_of(*s);
  }
  return std::nullopt;
}

// One line of the text: how far it is indented, whether it starts an item, key and value.
struct Line {
  size_t indent = 0;
  bool item = false;
  std::string_view key, value;
};

std::string_view trimmed(std::string_view s) noexcept {
  const size_t first = s.find_first_not_of(" \t\r'\"");
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\r'\"") - first + 1);
}

Line parse(std::string_view text) noexcept {
  Line line;
  line.indent = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(line.indent);
  if (text.substr(0, 2) == "- ") {
    line.item = true;
    const size_t skip = std::min(text.find_first_not_of(' ', 1), text.size());
    line.indent += skip;
    text.remove_prefix(skip);
  }
  const size_t colon = text.find(':');
  line.key = trimmed(text.substr(0, colon));
  if (colon != std::string_view::npos) line.value = trimmed(text.substr(colon + 1));
  return line;
}

uint32_t number(std::string_view s) noexcept {
  uint32_t value = 0;
  std::from_chars(s.data(), s.data() + s.size(), value);
  return value;
}

// "[ 8, 2, 1 ]"
std::array<uint32_t, 3> three(std::string_view s) noexcept {
  std::array<uint32_t, 3> values = {0, 0, 0};
  for (uint32_t& value : values) {
    const size_t digit = s.find_first_of("0123456789");
    if (digit == std::string_view::npos) return {0, 0, 0};
    s.remove_prefix(digit);
    value = number(s);
    s.remove_prefix(std::min(s.find_first_not_of("0123456789"), s.size()));
  }
  return values;
}

// An entry of payload_arguments.
struct Argument {
  std::string_view type, space;
  std::optional<uint32_t> index;
  uint32_t size = 0, source_offset = 0;
};

constexpr uint32_t kMostParameters = 4096;  // a damaged index must not ask for the world

void add(SpirvKernel& kernel, const Argument& a) {
  if (!a.index || *a.index >= kMostParameters) return;
  const bool by_value = a.type == "arg_byvalue", by_pointer = a.type == "arg_bypointer";
  if (!by_value && !by_pointer) return;  // what the driver fills in itself
  if (kernel.parameters.size() <= *a.index) kernel.parameters.resize(*a.index + 1);
  Parameter& p = kernel.parameters[*a.index];
  if (by_value) {
    p.kind = ParameterKind::value;
    p.size = std::max(p.size, a.source_offset + a.size);
    return;
  }
  if (a.space == "image" || a.space == "sampler")
    kernel.refusal = "kernel \"" + kernel.name + "\" takes an " + std::string(a.space) +
                     ", which cannot be passed";
  p.kind = a.space == "local" ? ParameterKind::local : ParameterKind::pointer;
  p.size = sizeof(void*);
}

class Reader {
 public:
  void line(const Line& line) {
    if (line.key.empty()) return;
    if (line.indent == 0) {
      finish();
      in_kernels_ = line.key == "kernels";
      return;
    }
    if (!in_kernels_) return;
    if (line.item && (kernels.empty() || line.indent <= kernel_indent_)) {
      finish();
      kernel_indent_ = line.indent;
      kernels.emplace_back();
      part_ = {};
    }
    if (line.indent == kernel_indent_) {
      finish_argument();
      part_ = line.key;
      if (line.key == "name") kernels.back().name = std::string(line.value);
      return;
    }
    if (part_ == "payload_arguments") {
      if (line.item) finish_argument();
      argument(line);
    } else if (part_ == "execution_env" && line.key == "required_work_group_size") {
      kernels.back().required_group_size = three(line.value);
    }
  }
  void finish() { finish_argument(); }

  std::vector<SpirvKernel> kernels;

 private:
  void argument(const Line& line) {
    if (line.key == "arg_type") argument_.type = line.value;
    if (line.key == "addrspace") argument_.space = line.value;
    if (line.key == "arg_index") argument_.index = number(line.value);
    if (line.key == "size") argument_.size = number(line.value);
    if (line.key == "source_offset") argument_.source_offset = number(line.value);
  }
  void finish_argument() {
    if (!kernels.empty()) add(kernels.back(), argument_);
    argument_ = {};
  }

  bool in_kernels_ = false;
  size_t kernel_indent_ = 0;
  std::string_view part_;
  Argument argument_;
};

}  // namespace

bool is_zebin(const void* image, size_t size) noexcept {
  return size >= sizeof(Elf64_Ehdr) && !std::memcmp(image, ELFMAG, SELFMAG) &&
         static_cast<const unsigned char*>(image)[EI_CLASS] == ELFCLASS64;
}

Result<std::vector<SpirvKernel>> read_zebin(const void* image, size_t size) {
  if (!is_zebin(image, size)) return broken("is no 64-bit ELF file");
  const auto text = section(static_cast<const std::byte*>(image), size, ".ze_info");
  if (!text) return broken("has no section .ze_info that describes its kernels");
  Reader reader;
  for (std::string_view rest = *text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (one.find_first_not_of(" \t\r\0") == std::string_view::npos) continue;
    if (one.substr(0, 3) == "---" || one.substr(0, 3) == "...") continue;
    reader.line(parse(one));
  }
  reader.finish();
  return std::move(reader.kernels);
}

}  // namespace xpu::runtime
