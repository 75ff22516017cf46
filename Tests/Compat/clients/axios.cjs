// Sends one request by axios: METHOD URL TOKEN TYPE FILE; prints the status and the body.
const axios = require('axios');
const { readFileSync } = require('node:fs');
const [method, url, token, type, file] = process.argv.slice(2);
const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(type && { 'content-type': type }) };
const data = file ? readFileSync(file) : undefined;
axios({ method, url, headers, data, maxBodyLength: Infinity, validateStatus: () => true, transformResponse: (text) => text })
  .then((response) => console.log(`${response.status}\n${response.data}`))
  .catch((error) => { console.error(error.code ?? error.message); process.exit(1); });
