/** What Nimbus returns over Thrift, as the JSON of Storm's REST API: names, types and units are upstream's. Pure; asks nobody. */
package io.eyewall.web.json;
