import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'

/** The document at `/openapi.json`: the schemas that the routes themselves check and answer by. */
export function openApiOptions(publicUrl: string): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Punctual',
        version: '1.0.0',
        description:
          'Open scheduling and routing. Every endpoint here is public: no account, no key. Failures are always `{ "error": "…" }`, in words you can act on.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Scheduling', description: 'Profiles, slots and bookings.' },
        { name: 'Routing', description: 'Forms that lead a visitor to the right place.' },
        { name: 'Embed', description: 'What the widget needs to know.' },
      ],
    },
    // Without this, shared schemas would be named def-0, def-1, …
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `Schema${index}`),
    },
  }
}
