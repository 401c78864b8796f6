# SPDX-License-Identifier: BSL-1.0
# Install rules: headers, a CMake package (find_package(doorbell)) and a pkg-config file.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(DOORBELL_PACKAGE_DIR "${CMAKE_INSTALL_DATADIR}/cmake/doorbell" CACHE STRING "Where the CMake package goes")

install(TARGETS doorbell EXPORT doorbell-targets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(
    EXPORT doorbell-targets
    NAMESPACE doorbell::
    FILE doorbell-config.cmake
    DESTINATION "${DOORBELL_PACKAGE_DIR}"
)

# Before 1.0 each minor release may change the interface. Headers have no architecture.
write_basic_package_version_file(
    "${CMAKE_CURRENT_BINARY_DIR}/doorbell-config-version.cmake"
    COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT
)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/doorbell-config-version.cmake" DESTINATION "${DOORBELL_PACKAGE_DIR}")

configure_file(cmake/doorbell.pc.in "${CMAKE_CURRENT_BINARY_DIR}/doorbell.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/doorbell.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
