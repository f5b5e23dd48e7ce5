export default async function main({ key }: { key: string }) {
  process.env['MESSAGING_API_KEY'] = key;
  process.env['SHOP_API_KEY'] = 'shop-key';
  const { addContact, phoneOf, say } = await import('./messaging');
  const { id } = await addContact('Ada', '+14155550101');
  return { phone: await phoneOf(id), messageId: typeof (await say('+14155550101', 'Hello')) };
}
