# Run by cpack over the files it has installed, before it packs them.
set(root ${CPACK_TEMPORARY_DIRECTORY})
set(usr ${root}${CPACK_PACKAGING_INSTALL_PREFIX})

if(CPACK_GENERATOR STREQUAL "DEB")
  # As Debian has it: its own folder for zsh, compressed pages and change logs, the licence by reference.
  file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
  file(REMOVE ${usr}/share/doc/previct/LICENSE)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian-copyright ${usr}/share/doc/previct/copyright COPYONLY)
  file(RENAME ${usr}/share/doc/previct/CHANGELOG.md ${usr}/share/doc/previct/changelog)
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${usr}/share/doc/previct/changelog.Debian
"previct (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * See changelog.gz for the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
  file(GLOB texts ${usr}/share/man/man*/*.[1-9])
  foreach(text IN LISTS texts ITEMS ${usr}/share/doc/previct/changelog ${usr}/share/doc/previct/changelog.Debian)
    execute_process(COMMAND gzip -9n ${text} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
else()
  # Where krew and people look for it; and what the libraries inside ask to be said.
  file(COPY ${CPACK_RESOURCE_FILE_LICENSE} DESTINATION ${root})
  set(packages libcli11-dev libexpected-dev libfmt-dev nlohmann-json3-dev)
  if(CPACK_CROSS_ZIG_LIB)
    file(GLOB texts ${CPACK_CROSS_SOURCES}/*/debian/copyright)
    list(APPEND texts ${CPACK_CROSS_LIBC} ${CPACK_CROSS_ZIG_LIB}/libcxx/LICENSE.TXT)
  else()
    list(APPEND packages libarchive-dev libbz2-dev libc6-dev liblzma-dev libre2-dev libstdc++-12-dev libyaml-cpp-dev libyaml-dev libzstd-dev
         nettle-dev zlib1g-dev)
  endif()
  list(SORT packages)
  list(TRANSFORM packages REPLACE "(.+)" "/usr/share/doc/\\1/copyright")
  foreach(path IN LISTS packages texts)
    string(REGEX REPLACE "/(debian/)?[^/]*$" "" folder ${path})
    get_filename_component(name ${folder} NAME)
    file(READ ${path} text)
    file(APPEND ${usr}/share/doc/previct/THIRD-PARTY "==== ${name}\n\n${text}\n")
  endforeach()
endif()

# The same bytes from the same source: no mode of the user's umask, and no time but the source's.
execute_process(COMMAND chmod -R u=rwX,go=rX ${root} COMMAND_ERROR_IS_FATAL ANY)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND find ${root} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
endif()
