export const slowest = (db) =>
  db.all(`SELECT path, avg(ms) FROM calls WHERE path IN ('/v1/messages', '/v1/messages/send') AND header = 'x-api-key' GROUP BY path`);

export const migration = "UPDATE hooks SET url = replace(url, 'https://api.example.com/v1/messages', '')";
