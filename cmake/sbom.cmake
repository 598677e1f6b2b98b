# previct_sbom(<output>)
#
# What the binary is made of as SPDX 2.3, in JSON. A new library gets a row here; a test compares the rows with what
# is linked. The time is SOURCE_DATE_EPOCH's or the last commit's: two builds of one source write the same bytes.
function(previct_sbom output)
  # name | version | licence | where it comes from | header only, or how it is linked
  set(linked DYNAMIC_LINK)
  if(PREVICT_STATIC)
    set(linked STATIC_LINK)
  endif()
  previct_version_of(YAML_VERSION ${YAML_LIBRARY} yaml-0.1)
  previct_version_of(ZSTD_VERSION ${ZSTD_LIBRARY} libzstd)
  previct_version_of(ARCHIVE_VERSION ${ARCHIVE_LIBRARY} libarchive)
  previct_version_of(NETTLE_VERSION ${NETTLE_LIBRARY} nettle)
  previct_version_of(RE2_VERSION ${RE2_LIBRARY} re2)
  # Debian's re2.pc and headers hold no version.
  if(NOT RE2_VERSION MATCHES "^[0-9]+$")
    execute_process(COMMAND dpkg-query -W -f \${Version} libre2-dev OUTPUT_VARIABLE package ERROR_QUIET)
    string(REGEX MATCH "^[0-9]+" RE2_VERSION "${package}")
  endif()
  set(rows
    "fmt|${fmt_VERSION}|MIT|https://fmt.dev|${linked}"
    "yaml-cpp|${yaml-cpp_VERSION}|MIT|https://github.com/jbeder/yaml-cpp|${linked}"
    "libyaml|${YAML_VERSION}|MIT|https://pyyaml.org/wiki/LibYAML|${linked}"
    "zlib|${ZLIB_VERSION_STRING}|Zlib|https://zlib.net|${linked}"
    "zstd|${ZSTD_VERSION}|BSD-3-Clause|https://facebook.github.io/zstd|${linked}"
    "libarchive|${ARCHIVE_VERSION}|BSD-2-Clause|https://libarchive.org|STATIC_LINK"
    "nettle|${NETTLE_VERSION}|LGPL-3.0-or-later OR GPL-2.0-or-later|https://www.lysator.liu.se/~nisse/nettle|${linked}"
    "re2|${RE2_VERSION}|BSD-3-Clause|https://github.com/google/re2|${linked}"
    "nlohmann-json|${nlohmann_json_VERSION}|MIT|https://json.nlohmann.me|CONTAINS"
    "CLI11|${CLI11_VERSION}|BSD-3-Clause|https://github.com/CLIUtils/CLI11|CONTAINS"
    "tl-expected|${tl-expected_VERSION}|CC0-1.0|https://github.com/TartanLlama/expected|CONTAINS")
  if(PREVICT_XZ)
    previct_version_of(LZMA_VERSION ${LZMA_LIBRARY} liblzma)
    list(APPEND rows "liblzma|${LZMA_VERSION}|LicenseRef-public-domain|https://tukaani.org/xz|${linked}")
  endif()
  if(PREVICT_BZIP2)
    # bzip2 tells its version in its header alone.
    find_path(bzip2_include bzlib.h REQUIRED)
    file(STRINGS ${bzip2_include}/bzlib.h line REGEX "bzip2/libbzip2 version [0-9.]+")
    string(REGEX REPLACE ".*version ([0-9.]+).*" "\\1" bzip2_version "${line}")
    list(APPEND rows "bzip2|${bzip2_version}|bzip2-1.0.6|https://sourceware.org/bzip2|${linked}")
  endif()
  if(CROSS_ZIG_LIB)
    # The compiler brings the sources of these.
    file(STRINGS ${CROSS_ZIG_LIB}/libcxx/include/__config line REGEX "define _LIBCPP_VERSION [0-9]+")
    string(REGEX REPLACE ".* ([0-9][0-9])([0-9][0-9])([0-9][0-9])$" "\\1.\\2.\\3" libcxx_version "${line}")
    string(REPLACE ".0" "." libcxx_version ${libcxx_version})
    execute_process(COMMAND ${CROSS_ZIG} version OUTPUT_VARIABLE zig_version OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND rows "libc++|${libcxx_version}|Apache-2.0 WITH LLVM-exception|https://libcxx.llvm.org|STATIC_LINK")
    if(WASI)
      # A page unpacks the program with fzstd.
      file(READ ${CMAKE_SOURCE_DIR}/page/package-lock.json lock)
      string(JSON fzstd_version GET "${lock}" packages node_modules/fzstd version)
      list(APPEND rows
        "fzstd|${fzstd_version}|MIT|https://github.com/101arrowz/fzstd|CONTAINS"
        "wasi-libc|zig-${zig_version}|MIT|https://github.com/WebAssembly/wasi-libc|STATIC_LINK")
    elseif(WIN32)
      list(APPEND rows "mingw-w64|zig-${zig_version}|ZPL-2.1|https://www.mingw-w64.org|STATIC_LINK")
    elseif(NOT APPLE)
      list(APPEND rows "musl|zig-${zig_version}|MIT|https://musl.libc.org|STATIC_LINK")
    endif()
  endif()
  list(SORT rows)

  set(epoch "$ENV{SOURCE_DATE_EPOCH}")
  if(NOT epoch)
    execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} log -1 --format=%ct OUTPUT_VARIABLE epoch
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} "${epoch}")
  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)

  set(packages "")
  set(relations "")
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 version)
    list(GET row 2 licence)
    list(GET row 3 home)
    list(GET row 4 relation)
    string(APPEND packages ",
    {\"SPDXID\": \"SPDXRef-${name}\", \"name\": \"${name}\", \"versionInfo\": \"${version}\", \"licenseConcluded\": \"${licence}\",
     \"licenseDeclared\": \"${licence}\", \"copyrightText\": \"NOASSERTION\", \"filesAnalyzed\": false,
     \"homepage\": \"${home}\", \"downloadLocation\": \"NOASSERTION\"}")
    string(APPEND relations ",
    {\"spdxElementId\": \"SPDXRef-previct\", \"relationshipType\": \"${relation}\", \"relatedSpdxElement\": \"SPDXRef-${name}\"}")
  endforeach()
  file(GENERATE OUTPUT ${output} CONTENT "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"previct-${PROJECT_VERSION}\",
  \"documentNamespace\": \"urn:previct:spdx:${PROJECT_VERSION}:${epoch}\",
  \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Tool: previct-build\"]},
  \"packages\": [
    {\"SPDXID\": \"SPDXRef-previct\", \"name\": \"previct\", \"versionInfo\": \"${PROJECT_VERSION}\", \"licenseConcluded\": \"Apache-2.0\",
     \"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"NOASSERTION\", \"filesAnalyzed\": false,
     \"downloadLocation\": \"NOASSERTION\", \"primaryPackagePurpose\": \"APPLICATION\"}${packages}
  ],
  \"hasExtractedLicensingInfos\": [
    {\"licenseId\": \"LicenseRef-public-domain\", \"name\": \"public domain\", \"extractedText\": \"The authors put it in the public domain.\"}
  ],
  \"relationships\": [
    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-previct\"}${relations}
  ]
}
")
endfunction()

# previct_version_of(<variable> <library> <name>): the version that <name>.pc beside a library tells.
function(previct_version_of variable library name)
  get_filename_component(folder ${library} DIRECTORY)
  set(version "")
  if(EXISTS ${folder}/pkgconfig/${name}.pc)
    file(STRINGS ${folder}/pkgconfig/${name}.pc line REGEX "^Version:")
    string(REGEX REPLACE "^Version: *" "" version "${line}")
  endif()
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()
