export async function GET({ params, locals }) {
  const { status } = await locals.messaging.message(params.id);
  return Response.json({ status });
}
