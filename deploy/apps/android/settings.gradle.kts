// The example app of deploy/docs/app/android.md. `deploy/package-clients deploy/apps/android/maven maven` writes the library first.
pluginManagement { repositories { google(); mavenCentral(); gradlePluginPortal() } }
dependencyResolutionManagement { repositories { google(); mavenCentral(); maven { url = uri("maven") } } }
rootProject.name = "latchkey-example"
