/** One page of contacts gets its digest. */
export async function sendDigests({ messaging, weather, env, log = () => {} }) {
  const contacts = await messaging.contacts(1, env.DIGEST_LIMIT);
  const sent = [];
  for (const { id, email } of contacts) {
    if (!email) continue;
    const text = `Your day: ${await weather.today(id)}`;
    if (env.DRY_RUN) log(`${email}: ${text}`);
    else sent.push(await messaging.send(email, text));
  }
  return sent;
}
