#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
"use strict";
require("../lib/command.js")("spvreconv");
