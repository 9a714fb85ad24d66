import type { ServerPages } from '../catalogue.ts'

export default {
  home: {
    title: 'Citas sin tanto ir y venir',
    what: 'Comparte un enlace y deja que los demás reserven una hora que os venga bien a ambos.',
    guests: '¿Quieres reservar con alguien? Abre el enlace que te envió. No necesitas una cuenta.',
    signIn: 'Iniciar sesión',
    demo: 'Ver la demostración',
    api: 'Referencia de la API',
  },
  unsubscribe: {
    title: '¿Dejar de recibir correos de {name}?',
    what: 'No recibirás más correos de {name} después de las reuniones ni sobre formularios. Los correos sobre tus próximas reuniones seguirán llegando.',
    button: 'Cancelar la suscripción',
    done: 'Suscripción cancelada',
    after: '{name} no volverá a enviarte correos así.',
  },
  notice: {
    missing: 'Página no encontrada',
    hint: 'Puede que el enlace sea antiguo o esté mal escrito. Pide uno nuevo a quien te lo envió.',
    trouble: 'Algo ha salido mal',
    startAgain: 'Vuelve a empezar desde el formulario.',
  },
  noScriptWrite: 'Sin JavaScript, la reserva es posible por correo:',
  offline: {
    title: 'No hay conexión',
    hint: 'El panel solo muestra datos actuales, así que necesita conexión a internet.',
    again: 'Intentar de nuevo',
  },
  standIn: {
    away: '{host} está fuera: {time}.',
    book: 'Reservar con {name} en su lugar',
  },
  endedLink: {
    used: 'Este enlace ya se ha usado',
    expired: 'Este enlace ha caducado',
    ask: 'Pide uno nuevo a {name}.',
  },
  noScript:
    'Esta página necesita JavaScript para mostrar las horas disponibles. También puedes reservar mediante la API pública.',
} satisfies ServerPages
