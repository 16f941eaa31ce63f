plugins {
    application
    java
}

version = "<% call .number 1 4 %>.<% call .number 0 19 %>"

repositories { mavenCentral() }

dependencies { testImplementation("org.junit.jupiter:junit-jupiter:5.10.2") }

tasks.test { useJUnitPlatform() }
