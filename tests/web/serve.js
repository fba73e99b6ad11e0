// SPDX-License-Identifier: Apache-2.0
/* serve: the files of a folder, to this machine only; prints its port. */
"use strict";

const fs = require("fs");
const http = require("http");
const path = require("path");

const TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".txt": "text/plain; charset=utf-8"};
const folder = process.argv[2];

http.createServer((request, response) => {
  const name = path.basename(new URL(request.url, "http://localhost").pathname), file = path.join(folder, name);
  if (!fs.existsSync(file) || !fs.statSync(file).isFile()) {
    response.writeHead(name === "favicon.ico" ? 204 : 404).end(); // browsers ask for an icon, which the page has not
    return;
  }
  response.writeHead(200, {"Content-Type": TYPES[path.extname(name)] || "application/octet-stream"});
  fs.createReadStream(file).pipe(response);
}).listen(0, "127.0.0.1", function listening() { console.log(this.address().port); });
