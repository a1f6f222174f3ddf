from django.apps import AppConfig


class StudyConfig(AppConfig):
    name = "study"
    verbose_name = "after the match"

    def ready(self) -> None:
        import accounts.personal
        from study import services

        accounts.personal.register("study", services.export, services.forget)
