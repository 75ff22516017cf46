plugins {
    id("com.android.application") version "8.7.3"
    id("org.jetbrains.kotlin.android") version "2.1.0"
    id("org.jetbrains.kotlin.plugin.compose") version "2.1.0"
}

android {
    namespace = "com.example.latchkey"
    compileSdk = 35
    defaultConfig {
        applicationId = "com.example.latchkey"
        minSdk = 23
        targetSdk = 35
        versionCode = 1
        versionName = "1"
    }
    buildFeatures.compose = true
    buildTypes.getByName("release") {
        isMinifyEnabled = true
        proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
    }
    sourceSets.getByName("main") {
        manifest.srcFile("AndroidManifest.xml")
        kotlin.srcDir("src")
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
    kotlinOptions { jvmTarget = "11" }
}

dependencies {
    implementation("latchkey:auth-android:1.0.0-beta.1")
    implementation("latchkey:auth-okhttp:1.0.0-beta.1")
    implementation("com.squareup.okhttp3:okhttp:4.12.0")
    implementation("com.google.android.gms:play-services-auth-api-phone:18.1.0")
    implementation("androidx.activity:activity-compose:1.9.3")
    implementation("androidx.compose.material3:material3:1.3.1")
}
