/** The UI daemon: a web server with Storm's REST API and the pages that use it. */
package io.eyewall.web;
